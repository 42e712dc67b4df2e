import { expect, test } from "vitest";
import { revokeTokens } from "../../src/oauth/revocation.js";
import type { TokenSet } from "../../src/oauth/token-set.js";
import {
  clientWith,
  type FormServer,
  metadataOf,
  never,
  PUBLIC_CLIENT,
  sendPlainly,
  startFormServer,
} from "./token-server.js";

const TOKENS: TokenSet = { accessToken: "the-access-token", tokenType: "Bearer", refreshToken: "the-refresh-token" };

function revoke(server: FormServer, tokens = TOKENS, client = PUBLIC_CLIENT): Promise<boolean> {
  const metadata = metadataOf(server, { revocationEndpoint: `${server.url}/revoke` });
  return revokeTokens({ metadata, client, tokens, send: sendPlainly, signal: never() });
}

test("ends the refresh token, then the access token, as the client they belong to", async () => {
  const server = await startFormServer(() => ({}));
  const client = clientWith({ method: "client_secret_post", secret: "s" });

  const told = await revoke(server, TOKENS, client);

  expect(told).toBe(true);
  expect(server.log.map(({ path, form }) => [path, Object.fromEntries(form)])).toEqual([
    [
      "/revoke",
      { token: "the-refresh-token", token_type_hint: "refresh_token", client_id: "client-1", client_secret: "s" },
    ],
    [
      "/revoke",
      { token: "the-access-token", token_type_hint: "access_token", client_id: "client-1", client_secret: "s" },
    ],
  ]);
});

test("ends an access token that came alone", async () => {
  const server = await startFormServer(() => ({}));

  await revoke(server, { accessToken: "the-access-token", tokenType: "Bearer" });

  expect(server.log.map(({ form }) => form.get("token"))).toEqual(["the-access-token"]);
});

test("says that a server takes no such word", async () => {
  const server = await startFormServer();

  const told = await revokeTokens({
    metadata: metadataOf(server),
    client: PUBLIC_CLIENT,
    tokens: TOKENS,
    send: sendPlainly,
    signal: never(),
  });

  expect(told).toBe(false);
  expect(server.log).toHaveLength(0);
});

test("does not mind what a server says when it did as it was told", async () => {
  const server = await startFormServer(() => ({ body: "<p>Good bye</p>" }));

  expect(await revoke(server)).toBe(true);
});

test("tries both tokens, and tells what the server refused, without the token", async () => {
  const server = await startFormServer(({ form }) => ({
    status: 400,
    body: { error: "unsupported_token_type", error_description: `not ${form.get("token")}` },
  }));

  const error = await revoke(server).catch((reason: unknown) => reason);

  expect(error).toMatchObject({ code: "login_failed", cause: { error: "unsupported_token_type" } });
  expect(JSON.stringify([String(error), (error as Error).cause])).not.toContain("the-refresh-token");
  expect(server.log).toHaveLength(2);
});
