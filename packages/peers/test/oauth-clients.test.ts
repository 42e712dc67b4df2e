import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { clientCredentials, oauth, type RegisteredClient } from "@mortise/client/oauth";
import type { ClientMetadata } from "oidc-provider";
import { describe, expect, test } from "vitest";
import { openProtected, seatUser, startServers } from "../src/login/program.js";

const SECRET = "a secret with: odd & characters/%20+";
const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const PEM = privateKey.export({ type: "pkcs8", format: "pem" }).toString();

type Method = "client_secret_basic" | "client_secret_post" | "private_key_jwt" | "none";

/** What each kind of client is registered with, and how the program names it. */
const CLIENTS: readonly (readonly [Method, Partial<ClientMetadata>, Partial<RegisteredClient>])[] = [
  ["client_secret_basic", { client_secret: SECRET }, { secret: SECRET }],
  ["client_secret_post", { client_secret: SECRET }, { secret: SECRET, method: "client_secret_post" }],
  ["private_key_jwt", { jwks: { keys: [toJwk(publicKey)] } }, { key: { key: PEM, algorithm: "ES256", keyId: "k1" } }],
  ["none", {}, {}],
];

function toJwk(key: KeyObject): { kty: string } {
  return Object.assign({ kty: "EC" }, key.export({ format: "jwk" }), { kid: "k1", alg: "ES256", use: "sig" });
}

describe.each(CLIENTS)("a registered client with %s", (method, registered, named) => {
  test("lets its user in, and refreshes", async () => {
    const metadata: ClientMetadata = {
      client_id: "desk",
      application_type: "native",
      redirect_uris: ["http://127.0.0.1/callback"],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: method,
      token_endpoint_auth_signing_alg: method === "private_key_jwt" ? "ES256" : undefined,
      ...registered,
    };
    const { authorization, server } = await startServers({ clients: [metadata], registration: false });
    const user = seatUser();
    const own = { issuer: authorization.issuer, clientId: "desk", ...named };
    const client = openProtected(server.url, oauth({ redirect: user.redirect, client: own }));

    await client.callTool("read");
    server.expireTokens();
    const { text } = await client.callTool("read");

    expect(text).toBe("read with mcp:read");
    expect(
      authorization.tokenRequests.map(({ grant, clientId, method: used, error }) => [grant, clientId, used, error]),
    ).toEqual([
      ["authorization_code", "desk", method, undefined],
      ["refresh_token", "desk", method, undefined],
    ]);
    expect(user.logins()).toBe(1);
  });
});

describe.each(CLIENTS.filter(([method]) => method !== "none"))("a program with %s", (method, registered, named) => {
  test("gets in as itself, and again when its token has ended", async () => {
    const metadata: ClientMetadata = {
      client_id: "night-job",
      redirect_uris: [],
      response_types: [],
      grant_types: ["client_credentials"],
      token_endpoint_auth_method: method,
      token_endpoint_auth_signing_alg: method === "private_key_jwt" ? "ES256" : undefined,
      ...registered,
    };
    const { authorization, server } = await startServers({ clients: [metadata] });
    const client = openProtected(server.url, clientCredentials({ clientId: "night-job", ...named }));

    await Promise.all([client.callTool("read"), client.callTool("read")]);
    server.expireTokens();
    const { text } = await client.callTool("read");

    expect(text).toBe("read with mcp:read");
    expect(authorization.tokenRequests.map(({ grant, method: used, resource }) => [grant, used, resource])).toEqual([
      ["client_credentials", method, server.url],
      ["client_credentials", method, server.url],
    ]);
  });
});

test("a program with the wrong secret is told so, without the secret", async () => {
  const metadata: ClientMetadata = {
    client_id: "night-job",
    client_secret: SECRET,
    redirect_uris: [],
    response_types: [],
    grant_types: ["client_credentials"],
  };
  const { server } = await startServers({ clients: [metadata] });
  const auth = clientCredentials({ clientId: "night-job", secret: "wrong-secret-value" });

  const error = await openProtected(server.url, auth)
    .callTool("read")
    .catch((reason: unknown) => reason);

  expect(error).toMatchObject({ code: "login_failed" });
  expect(String(error)).toContain("invalid_client");
  expect(String(error)).not.toContain("wrong-secret-value");
});
