import { describe, expect, test } from "vitest";
import type { AssertionRequest } from "../../src/oauth/grants/assertion.js";
import { createClientCredentialsGrant } from "../../src/oauth/grants/client-credentials.js";
import { createEnterpriseManagedGrant, type IdentityProvider } from "../../src/oauth/grants/enterprise-managed.js";
import { createWorkloadIdentityGrant } from "../../src/oauth/grants/workload-identity.js";
import { readRefusal } from "../../src/oauth/token-refusal.js";
import {
  clientWith,
  contextOf,
  endpointOf,
  type FormServer,
  metadataOf,
  PUBLIC_CLIENT,
  sendPlainly,
  startFormServer,
  TOKEN,
} from "./token-server.js";

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const ID_JAG = "urn:ietf:params:oauth:token-type:id-jag";

function paramsOf(server: FormServer, at = 0): Record<string, string> {
  return Object.fromEntries(server.log[at]?.form ?? []);
}

describe("client credentials", () => {
  test("are all it takes", async () => {
    const server = await startFormServer();
    const client = clientWith({ method: "client_secret_basic", secret: "s" });

    const tokens = await createClientCredentialsGrant().obtain(contextOf(server, { client }));

    expect(paramsOf(server)).toEqual({
      grant_type: "client_credentials",
      scope: "a b",
      resource: "https://mcp.example/mcp",
    });
    expect(tokens).toMatchObject({ accessToken: "T1", scope: "a b" });
  });

  test("leave the scope to the server when none is known", async () => {
    const server = await startFormServer();

    await createClientCredentialsGrant().obtain(contextOf(server, { scope: undefined }));

    expect(server.log[0]?.form.has("scope")).toBe(false);
  });
});

describe("a workload's identity", () => {
  test("is presented as it was given", async () => {
    const server = await startFormServer();

    const tokens = await createWorkloadIdentityGrant({ assertion: "a.b.c" }).obtain(contextOf(server));

    expect(paramsOf(server)).toEqual({
      grant_type: JWT_BEARER,
      assertion: "a.b.c",
      scope: "a b",
      resource: "https://mcp.example/mcp",
      client_id: "client-1",
    });
    expect(tokens.accessToken).toBe("T1");
  });

  test("is presented by nobody in particular when there is no client", async () => {
    const server = await startFormServer();

    const client = clientWith({ method: "none" }, "");

    await createWorkloadIdentityGrant({ assertion: "a.b.c" }).obtain(contextOf(server, { client }));

    expect(server.log[0]?.form.has("client_id")).toBe(false);
    expect(server.log[0]?.headers.authorization).toBeUndefined();
  });

  test("is got anew for each token, made for the issuer", async () => {
    const server = await startFormServer();
    const requests: AssertionRequest[] = [];
    const grant = createWorkloadIdentityGrant({
      assertion: async (request) => `jwt-${requests.push(request)}\n`,
    });

    await grant.obtain(contextOf(server));
    await grant.obtain(contextOf(server));

    expect(server.log.map(({ form }) => form.get("assertion"))).toEqual(["jwt-1", "jwt-2"]);
    expect(requests[0]).toMatchObject({ issuer: server.url, resource: "https://mcp.example/mcp", scope: "a b" });
  });

  test.each(["invalid_grant", "invalid_scope", "unauthorized_client"])(
    "is presented once, though the server answers %s",
    async (error) => {
      const server = await startFormServer(() => ({ status: 400, body: { error, error_description: "not a.b.c" } }));

      const outcome = await createWorkloadIdentityGrant({ assertion: "a.b.c" })
        .obtain(contextOf(server))
        .catch((reason: unknown) => reason);

      expect(readRefusal(outcome)).toEqual({ error, description: "not [redacted]", status: 400 });
      expect(server.log).toHaveLength(1);
    },
  );

  test.each([undefined, null, "", " \n", 7])("is refused when it is %j", async (given) => {
    const server = await startFormServer();
    const grant = createWorkloadIdentityGrant({ assertion: () => given as string });

    await expect(grant.obtain(contextOf(server))).rejects.toMatchObject({ code: "invalid_options" });
    expect(server.log).toHaveLength(0);
  });
});

describe("an organization's sign-in", () => {
  const GRANT = { access_token: "the-grant", token_type: "N_A", issued_token_type: ID_JAG, expires_in: 300 };

  function providerOf(server: FormServer, more: Partial<IdentityProvider> = {}): IdentityProvider {
    return {
      issuer: server.url,
      tokenEndpoint: `${server.url}/oauth2/token`,
      client: clientWith({ method: "none" }, "idp-client"),
      send: sendPlainly,
      ...more,
    };
  }

  test("is exchanged at the provider, and what comes of it at the authorization server", async () => {
    const idp = await startFormServer(() => ({ body: GRANT }));
    const server = await startFormServer();
    const client = clientWith({ method: "client_secret_basic", secret: "s" });
    const grant = createEnterpriseManagedGrant({ provider: providerOf(idp), subjectToken: "the-id-token" });

    const tokens = await grant.obtain(contextOf(server, { client }));

    expect(idp.log[0]?.path).toBe("/oauth2/token");
    expect(paramsOf(idp)).toEqual({
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      requested_token_type: ID_JAG,
      audience: server.url,
      resource: "https://mcp.example/mcp",
      scope: "a b",
      subject_token: "the-id-token",
      subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
      client_id: "idp-client",
    });
    expect(paramsOf(server)).toEqual({
      grant_type: JWT_BEARER,
      assertion: "the-grant",
      resource: "https://mcp.example/mcp",
    });
    expect(server.log[0]?.headers.authorization).toBe(`Basic ${btoa("client-1:s")}`);
    expect(tokens).toMatchObject({ accessToken: "T1", tokenType: "Bearer" });
  });

  test("names issuer and resource byte for byte", async () => {
    const idp = await startFormServer(() => ({ body: GRANT }));
    const server = await startFormServer();
    const context = contextOf(server, { metadata: metadataOf(server, { issuer: "https://As.Example/%7Ea/" }) });
    const resource = { ...context.resource, resource: "https://MCP.example" };
    const grant = createEnterpriseManagedGrant({ provider: providerOf(idp), subjectToken: "t" });

    await grant.obtain({ ...context, resource });

    expect(paramsOf(idp)).toMatchObject({ audience: "https://As.Example/%7Ea/", resource: "https://MCP.example" });
  });

  test("counts for the scopes that the provider left", async () => {
    const idp = await startFormServer(() => ({ body: { ...GRANT, scope: "a" } }));
    const server = await startFormServer();
    const grant = createEnterpriseManagedGrant({ provider: providerOf(idp), subjectToken: "t" });

    expect((await grant.obtain(contextOf(server))).scope).toBe("a");
  });

  test("can be an assertion or a refresh token, got when it is needed, for a client with a secret", async () => {
    const idp = await startFormServer(() => ({ body: GRANT }));
    const server = await startFormServer();
    const client = clientWith({ method: "client_secret_post", secret: "idp-secret" }, "idp-client");
    const grant = createEnterpriseManagedGrant({
      provider: providerOf(idp, { client }),
      subjectToken: async ({ signal }) => (signal.aborted ? "" : "the-refresh-token"),
      subjectTokenType: "refresh_token",
    });

    await grant.obtain(contextOf(server));

    expect(paramsOf(idp)).toMatchObject({
      subject_token: "the-refresh-token",
      subject_token_type: "urn:ietf:params:oauth:token-type:refresh_token",
      client_secret: "idp-secret",
    });
  });

  test.each([undefined, "urn:ietf:params:oauth:token-type:access_token"])(
    "goes no further with a token of another kind: %s",
    async (issued_token_type) => {
      const idp = await startFormServer(() => ({ body: { ...GRANT, token_type: "Bearer", issued_token_type } }));
      const server = await startFormServer();
      const grant = createEnterpriseManagedGrant({ provider: providerOf(idp), subjectToken: "t" });

      await expect(grant.obtain(contextOf(server))).rejects.toMatchObject({ code: "login_failed" });
      expect(server.log).toHaveLength(0);
    },
  );

  test("ends with what the provider says", async () => {
    const idp = await startFormServer(() => ({
      status: 400,
      body: { error: "access_denied", error_description: "no access for the-id-token" },
    }));
    const server = await startFormServer();
    const grant = createEnterpriseManagedGrant({ provider: providerOf(idp), subjectToken: "the-id-token" });

    const error = await grant.obtain(contextOf(server)).catch((reason: unknown) => reason);

    expect(error).toMatchObject({ code: "login_denied" });
    expect(readRefusal(error)?.description).toBe("no access for [redacted]");
    expect(server.log).toHaveLength(0);
  });

  test("sends the resource to an issuer that refuses one to the provider alone", async () => {
    const idp = await startFormServer(() => ({ body: GRANT }));
    const server = await startFormServer();
    const endpoint = endpointOf(server, { resource: undefined, client: PUBLIC_CLIENT });
    const grant = createEnterpriseManagedGrant({ provider: providerOf(idp), subjectToken: "t" });

    await grant.obtain(contextOf(server, { endpoint }));

    expect(idp.log[0]?.form.has("resource")).toBe(true);
    expect(server.log[0]?.form.has("resource")).toBe(false);
  });

  test("does not take the provider's grant for a token", async () => {
    const server = await startFormServer(() => ({ body: { ...TOKEN, token_type: "N_A" } }));
    const idp = await startFormServer(() => ({ body: GRANT }));
    const grant = createEnterpriseManagedGrant({ provider: providerOf(idp), subjectToken: "t" });

    await expect(grant.obtain(contextOf(server))).rejects.toMatchObject({ code: "login_failed" });
  });
});
