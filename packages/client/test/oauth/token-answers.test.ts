import { expect, test } from "vitest";
import { readRefusal } from "../../src/oauth/token-refusal.js";
import type { TokenSet } from "../../src/oauth/token-set.js";
import { endpointOf, type FormAnswer, never, startFormServer } from "./token-server.js";

async function ask(answer: FormAnswer): Promise<TokenSet> {
  const server = await startFormServer(() => answer);
  return endpointOf(server).clientCredentials("asked", never());
}

async function fail(answer: FormAnswer): Promise<Error> {
  const outcome = await ask(answer).catch((error: Error) => error);
  if (!(outcome instanceof Error)) throw new Error("A token was taken from that");
  return outcome;
}

const FORM = "access_token=T%2B1&token_type=bearer&expires_in=3600&scope=a+b";

test.each(["application/x-www-form-urlencoded; charset=utf-8", "text/plain"])(
  "reads a form sent as %s",
  async (type) => {
    const tokens = await ask({ headers: { "Content-Type": type }, body: FORM });

    expect(tokens).toMatchObject({ accessToken: "T+1", tokenType: "Bearer", scope: "a b" });
    expect(tokens.expiresAt).toBeGreaterThan(Date.now() + 3_590_000);
  },
);

test("reads an error sent as a form", async () => {
  const error = await fail({ body: "error=bad_verification_code&error_description=stale+code" });

  expect(readRefusal(error)).toEqual({ error: "bad_verification_code", description: "stale code", status: 200 });
});

test("takes an error for one though its status is 200", async () => {
  const error = await fail({ body: { error: "bad_verification_code", error_description: "stale" } });

  expect(error).toMatchObject({ code: "login_failed" });
  expect(error.message).toMatch(/bad_verification_code.*stale/);
});

test("finds code and explanation of an error that is an object", async () => {
  const error = await fail({
    status: 400,
    body: { error: { type: "OAuthException", code: 100, message: "Bad code" } },
  });

  expect(readRefusal(error)).toEqual({ error: "OAuthException", description: "Bad code", status: 400 });
});

test("counts seconds that are written as text", async () => {
  const { expiresAt = 0 } = await ask({ body: { access_token: "T", token_type: "Bearer", expires_in: "5250" } });

  expect(Math.abs(expiresAt - Date.now() - 5_250_000)).toBeLessThan(10_000);
});

test.each([0, "0", -30])("takes a token that lasts %j seconds for ended", async (seconds) => {
  const tokens = await ask({ body: { access_token: "T", token_type: "Bearer", expires_in: seconds } });

  expect(tokens.expiresAt).toBeLessThanOrEqual(Date.now());
});

test.each(["soon", "12abc", true, {}, []])("refuses %j as a number of seconds", async (seconds) => {
  const error = await fail({ body: { access_token: "T", token_type: "Bearer", expires_in: seconds } });

  expect(error).toMatchObject({ code: "login_failed" });
  expect(error.cause).toBeUndefined();
});

test("takes null for what is not there", async () => {
  const body = {
    access_token: "T",
    token_type: "Bearer",
    scope: null,
    refresh_token: null,
    expires_in: null,
    error: null,
  };

  const tokens = await ask({ body });

  expect(tokens).toEqual({ accessToken: "T", tokenType: "Bearer", scope: "asked" });
});

test("joins scopes that come as a list", async () => {
  const tokens = await ask({ body: { access_token: "T", token_type: "Bearer", scope: ["a", "b"] } });

  expect(tokens.scope).toBe("a b");
});

test.each(["bearer", "BEARER", "Bearer"])("knows a token of type %s for a bearer token", async (type) => {
  const tokens = await ask({ body: { access_token: "T", token_type: type } });

  expect(tokens.tokenType).toBe("Bearer");
});

test.each(["mac", "N_A", "", undefined, null, 7])("refuses a token of type %j", async (type) => {
  const error = await fail({ body: { access_token: "T", token_type: type } });

  expect(error).toMatchObject({ code: "login_failed" });
  expect(error.cause).toBeUndefined();
});

test("refuses a token that is bound to a key nobody has", async () => {
  await expect(ask({ body: { access_token: "T", token_type: "DPoP" } })).rejects.toMatchObject({
    code: "login_failed",
  });
});

test.each(["", undefined, null, 7, "two words", "line\r\nEvil: 1", "ü"])("refuses %j as a token", async (token) => {
  const error = await fail({ body: { access_token: token, token_type: "Bearer" } });

  expect(error).toMatchObject({ code: "login_failed" });
  expect(error.cause).toBeUndefined();
});

test.each([400, 404, 500, 502])("says that a page came with HTTP %d", async (status) => {
  const error = await fail({ status, body: "<html><title>SECRETSECRET</title></html>" });

  expect(error.message).toContain(`HTTP ${status}`);
  expect(error.message).not.toContain("SECRETSECRET");
  expect(readRefusal(error)).toMatchObject({ error: undefined, status });
});

test.each(["", "[]", "null", "7", '{"access_token":', "<html>access_token=T</html>"])(
  "refuses %j as an answer",
  async (body) => {
    await expect(ask({ body })).rejects.toMatchObject({ code: "login_failed" });
  },
);

test("takes no token from an answer that is an error as well", async () => {
  const error = await fail({ body: { error: "server_error", access_token: "SECRETSECRET", token_type: "Bearer" } });

  expect(readRefusal(error)?.error).toBe("server_error");
  expect(error.message).not.toContain("SECRETSECRET");
});

test("hands on an ID token without judging it", async () => {
  const tokens = await ask({ body: { access_token: "T", token_type: "Bearer", id_token: "not.a.jwt" } });

  expect(tokens.idToken).toBe("not.a.jwt");
});

test("shortens what a server has to say, and keeps it on one line", async () => {
  const error = await fail({
    status: 400,
    body: { error: "x", error_description: `a\r\n\u001b[31m\u202e${"y".repeat(9000)}` },
  });

  const { description = "" } = readRefusal(error) ?? {};
  expect(description.length).toBeLessThan(220);
  expect(description).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test.each(["mac", "constructor", "__proto__", "n_a"])("refuses a token of type %j", async (type) => {
  const error = await fail({ body: { access_token: "T", token_type: type } });

  expect(error).toMatchObject({ code: "login_failed" });
  expect(error.message).toContain("token_type");
});
