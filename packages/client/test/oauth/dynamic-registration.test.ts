import { describe, expect, test } from "vitest";
import { failureOf } from "../open-client.js";
import { CALLBACK, lastBody, register } from "./client-scene.js";
import { startDocuments } from "./documents.js";

describe("a dynamic registration", () => {
  test("says what kind of client it is, what it may do and where it comes back", async () => {
    const server = await startDocuments({ "/register": { client_id: "r" } });

    expect(await register(server)).toEqual({
      clientId: "r",
      authentication: { method: "none" },
      redirectUris: [CALLBACK],
      secretExpiresAt: undefined,
      source: "registered",
    });

    expect(lastBody(server)).toEqual({
      client_name: "MCP client",
      application_type: "native",
      response_types: ["code"],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "none",
      redirect_uris: [CALLBACK],
    });
  });

  test("tells what the program says about itself, and keeps its own addresses", async () => {
    const server = await startDocuments({ "/register": { client_id: "r" } });
    const clientMetadata = {
      client_name: "App",
      logo_uri: "https://a.test/l",
      scope: "a b",
      redirect_uris: ["https://evil.test"],
    };

    await register(server, { options: { clientMetadata } });

    expect(lastBody(server)).toMatchObject({ ...clientMetadata, redirect_uris: [CALLBACK] });
  });

  test("of a web page says so", async () => {
    const server = await startDocuments({ "/register": { client_id: "r" } });
    const uris = ["https://app.example.com/back"];
    const redirect = { applicationType: "web", uris } as const;

    await register(server, { search: { redirect, redirectUri: undefined } });

    expect(lastBody(server)).toMatchObject({ application_type: "web", redirect_uris: uris });
  });

  test("for a grant without a login page has no addresses", async () => {
    const server = await startDocuments({ "/register": { client_id: "r" } });
    const grantTypes = ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"];

    await register(server, { search: { redirect: undefined, redirectUri: undefined, grantTypes } });

    expect(lastBody(server)).toEqual({
      client_name: "MCP client",
      application_type: "native",
      response_types: [],
      redirect_uris: [],
      grant_types: grantTypes,
      token_endpoint_auth_method: "none",
    });
  });

  test.each([
    [undefined, "none"],
    [["client_secret_post", "none"], "none"],
    [["client_secret_post"], "client_secret_post"],
    [["private_key_jwt", "client_secret_basic", "client_secret_post"], "client_secret_basic"],
    [["tls_client_auth"], "none"],
  ])("asks for a way to authenticate that the server lists (%j): %s", async (tokenAuthMethodsSupported, method) => {
    const server = await startDocuments({
      "/register": { client_id: "r", client_secret: "s", client_secret_expires_at: 0 },
    });

    await register(server, { metadata: { tokenAuthMethodsSupported } });

    expect(lastBody(server).token_endpoint_auth_method).toBe(method);
  });

  test("leaves refresh tokens out where the server lists its grants without them", async () => {
    const server = await startDocuments({ "/register": { client_id: "r" } });

    await register(server, { metadata: { grantTypesSupported: ["authorization_code"] } });

    expect(lastBody(server).grant_types).toEqual(["authorization_code"]);
  });

  test.each([
    [
      { token_endpoint_auth_method: "client_secret_basic", client_secret: "s" },
      undefined,
      { method: "client_secret_basic", secret: "s" },
    ],
    [
      { token_endpoint_auth_method: "client_secret_post", client_secret: "s" },
      undefined,
      { method: "client_secret_post", secret: "s" },
    ],
    [{ token_endpoint_auth_method: "none", client_secret: "s" }, undefined, { method: "none" }],
    [{ token_endpoint_auth_method: "none", client_secret: null }, undefined, { method: "none" }],
    [{ client_secret: "s" }, undefined, { method: "client_secret_basic", secret: "s" }],
    [{ client_secret: "s" }, ["client_secret_post"], { method: "client_secret_post", secret: "s" }],
    [{ client_secret: "", client_secret_expires_at: null }, undefined, { method: "none" }],
    [{}, undefined, { method: "none" }],
  ])("is used as the server answered (%j, %j)", async (answer, listed, expected) => {
    const server = await startDocuments({ "/register": { client_id: "r", ...answer } });

    const client = await register(server, { metadata: { tokenAuthMethodsSupported: listed } });

    expect(client.authentication).toEqual(expected);
  });

  test.each([{}, { token_endpoint_auth_method: "none", client_secret: "s" }])(
    "without a secret to use (%j) has no end, whatever the server says",
    async (answer) => {
      const server = await startDocuments({ "/register": { client_id: "r", client_secret_expires_at: 1, ...answer } });

      expect((await register(server)).secretExpiresAt).toBeUndefined();
    },
  );

  test.each([
    { token_endpoint_auth_method: "private_key_jwt" },
    { token_endpoint_auth_method: "client_secret_basic" },
    { token_endpoint_auth_method: "client_secret_jwt", client_secret: "hidden-value" },
    { client_id: 7 },
    { client_id: null, client_secret: "hidden-value" },
  ])("that the server answered with %j is no use", async (answer) => {
    const server = await startDocuments({ "/register": { client_id: "r", ...answer } });

    const error = await failureOf(register(server));

    expect(error).toMatchObject({ code: "login_failed" });
    expect(error.message).not.toContain("hidden-value");
  });

  test("knows the addresses that the server made of those it was sent", async () => {
    const server = await startDocuments({
      "/register": { client_id: "r", redirect_uris: [CALLBACK, 7, "https://a.test/"] },
    });

    expect((await register(server)).redirectUris).toEqual([CALLBACK, "https://a.test/"]);
  });

  test("for other addresses than it was sent is no use", async () => {
    const server = await startDocuments({ "/register": { client_id: "r", redirect_uris: ["https://a.test/"] } });

    expect(await failureOf(register(server))).toMatchObject({ code: "login_failed" });
  });

  test("that is refused quotes the server's error", async () => {
    const body = JSON.stringify({ error: "invalid_redirect_uri", error_description: "use\u0000https" });
    const server = await startDocuments({ "/register": [400, body] });

    const error = await failureOf(register(server));

    expect(error).toMatchObject({ code: "login_failed" });
    expect(error.message).toContain('"invalid_redirect_uri"');
    expect(error.message).toContain("use https");
  });

  test.each([
    [403, "<html>secret-body"],
    [500, ""],
    [200, "{"],
    [200, "<html>secret-body"],
    [302, ""],
  ] as const)("that is answered with HTTP %i and %j fails", async (status, text) => {
    const server = await startDocuments({ "/register": [status, text] });

    const error = await failureOf(register(server));

    expect(error).toMatchObject({ code: "login_failed" });
    expect(error.message).not.toContain("secret-body");
  });

  test("that names no client fails, and its secret is found nowhere in the error", async () => {
    const server = await startDocuments({ "/register": { client_id: 7, client_secret: "hidden-value" } });

    const error = await failureOf(register(server));

    expect(error).toMatchObject({ code: "login_failed" });
    expect(error).not.toHaveProperty("cause");
    expect(error.message).not.toContain("hidden-value");
  });

  test("is not sent where it may not go", async () => {
    const server = await startDocuments();

    const error = await failureOf(register(server, { metadata: { registrationEndpoint: "http://10.0.0.1/register" } }));

    expect(error).toMatchObject({ code: "address_refused" });
  });
});
