import { expect, test } from "vitest";
import { readRefusal } from "../../src/oauth/token-refusal.js";
import { clientWith, endpointOf, never, startFormServer, TOKEN } from "./token-server.js";

const EXCHANGE = { code: "the-code", redirectUri: "http://127.0.0.1:7777/back", verifier: "the-verifier" };

test("redeems a code with its verifier and the address it came back to", async () => {
  const server = await startFormServer();

  const tokens = await endpointOf(server).exchangeCode(EXCHANGE, never());

  expect(Object.fromEntries(server.log[0]?.form ?? [])).toEqual({
    grant_type: "authorization_code",
    code: "the-code",
    redirect_uri: "http://127.0.0.1:7777/back",
    code_verifier: "the-verifier",
    resource: "https://mcp.example/mcp",
    client_id: "client-1",
  });
  expect(server.log[0]?.headers.accept).toBe("application/json");
  expect(tokens).toMatchObject({ accessToken: "T1", tokenType: "Bearer" });
});

test("keeps the scope that was asked for when the server does not say what it granted", async () => {
  const server = await startFormServer();

  const tokens = await endpointOf(server).exchangeCode({ ...EXCHANGE, scope: "a b" }, never());

  expect(tokens.scope).toBe("a b");
});

test("takes the scope that was granted over the one that was asked for", async () => {
  const server = await startFormServer(() => ({ body: { ...TOKEN, scope: "a" } }));

  const tokens = await endpointOf(server).exchangeCode({ ...EXCHANGE, scope: "a b" }, never());

  expect(tokens.scope).toBe("a");
});

test.each(["http://127.0.0.1:4000", "http://127.0.0.1:4000/a%2Fb/mcp", "https://MCP.Example/Über?x=1&y=%20"])(
  "asks for the resource as it was published, byte for byte: %s",
  async (resource) => {
    const server = await startFormServer();
    const endpoint = endpointOf(server, { resource });

    const tokens = await endpoint.exchangeCode(EXCHANGE, never());
    await endpoint.refresh({ ...tokens, refreshToken: "R1" }, never());
    await endpoint.clientCredentials("a", never());

    expect(server.log.map(({ form }) => form.getAll("resource"))).toEqual([[resource], [resource], [resource]]);
  },
);

test("asks for no resource where the issuer refuses one", async () => {
  const server = await startFormServer();

  await endpointOf(server, { resource: undefined }).exchangeCode(EXCHANGE, never());

  expect(server.log[0]?.form.has("resource")).toBe(false);
});

test("takes over the refresh token that a rotation brings", async () => {
  const server = await startFormServer(() => ({ body: { ...TOKEN, access_token: "T2", refresh_token: "R2" } }));

  const tokens = await endpointOf(server).refresh(
    { accessToken: "T1", tokenType: "Bearer", refreshToken: "R1" },
    never(),
  );

  expect(server.log[0]?.form.get("refresh_token")).toBe("R1");
  expect(tokens).toMatchObject({ accessToken: "T2", refreshToken: "R2" });
});

test("keeps refresh token and scope when a refresh brings none", async () => {
  const server = await startFormServer(() => ({ body: { ...TOKEN, access_token: "T2" } }));
  const old = { accessToken: "T1", tokenType: "Bearer", refreshToken: "R1", scope: "a b" } as const;

  const tokens = await endpointOf(server).refresh(old, never());

  expect(tokens).toMatchObject({ accessToken: "T2", refreshToken: "R1", scope: "a b" });
});

test("asks for a login when there is nothing to refresh with", async () => {
  const server = await startFormServer();

  const refreshing = endpointOf(server).refresh({ accessToken: "T1", tokenType: "Bearer" }, never());

  await expect(refreshing).rejects.toMatchObject({ code: "login_required" });
  expect(server.log).toHaveLength(0);
});

test("tells what the server said when it refuses", async () => {
  const server = await startFormServer(() => ({
    status: 400,
    body: { error: "invalid_grant", error_description: "used before" },
  }));

  const error = await endpointOf(server)
    .exchangeCode(EXCHANGE, never())
    .catch((reason: unknown) => reason);

  expect(error).toMatchObject({ code: "login_failed" });
  expect(String(error)).toContain("used before");
  expect(readRefusal(error)).toEqual({ error: "invalid_grant", description: "used before", status: 400 });
});

test("reads the error of a 401 that carries a challenge too", async () => {
  const server = await startFormServer(() => ({
    status: 401,
    headers: { "WWW-Authenticate": 'Basic realm="x"' },
    body: { error: "invalid_client" },
  }));

  const error = await endpointOf(server)
    .exchangeCode(EXCHANGE, never())
    .catch((reason: unknown) => reason);

  expect(readRefusal(error)).toMatchObject({ error: "invalid_client", status: 401 });
});

test("tells a denial from a failure", async () => {
  const server = await startFormServer(() => ({ status: 400, body: { error: "access_denied" } }));

  const exchanging = endpointOf(server).exchangeCode(EXCHANGE, never());

  await expect(exchanging).rejects.toMatchObject({ code: "login_denied" });
});

test("sends a code once, whatever becomes of it", async () => {
  const server = await startFormServer(() => ({ status: 503, body: "down" }));

  const exchanging = endpointOf(server).exchangeCode(EXCHANGE, never());

  await expect(exchanging).rejects.toMatchObject({ code: "login_failed" });
  expect(server.log).toHaveLength(1);
});

test("rejects with the reason of its signal", async () => {
  const aborter = new AbortController();
  const server = await startFormServer(() => {
    aborter.abort(new Error("enough"));
    return new Promise<never>(() => undefined);
  });

  await expect(endpointOf(server).exchangeCode(EXCHANGE, aborter.signal)).rejects.toThrow("enough");
});

test("hides what was sent in confidence from a server's own words", async () => {
  const server = await startFormServer(({ form }) => ({
    status: 400,
    body: {
      error: "invalid_grant",
      error_description: `no ${form.get("code")} with ${form.get("code_verifier")}\n\u0007`,
    },
  }));

  const error = await endpointOf(server)
    .exchangeCode(EXCHANGE, never())
    .catch((reason: unknown) => reason);

  expect(readRefusal(error)?.description).toBe("no [redacted] with [redacted]");
});

test("hides the client's secret in every form in which it was sent", async () => {
  const server = await startFormServer(({ headers }) => {
    const sent = headers.authorization?.replace("Basic ", "") ?? "";
    return { status: 401, body: { error: "invalid_client", error_description: `got ${sent}, which is ${atob(sent)}` } };
  });
  const client = clientWith({ method: "client_secret_basic", secret: "hidden-value" });

  const error = await endpointOf(server, { client })
    .exchangeCode(EXCHANGE, never())
    .catch((reason: unknown) => reason);

  expect(readRefusal(error)?.description).toBe("got [redacted], which is client-1:[redacted]");
});

test("hides what was sent where the server repeats the form", async () => {
  const server = await startFormServer(({ body }) => ({
    status: 400,
    body: { error: "invalid_grant", error_description: `code=${new URLSearchParams(body).get("code")} or ${body}` },
  }));

  const error = await endpointOf(server)
    .exchangeCode({ ...EXCHANGE, code: "4/0c+de =" }, never())
    .catch((reason: unknown) => reason);

  expect(readRefusal(error)?.description).toMatch(/^code=\[redacted\] or .*code=\[redacted\]&/);
});
