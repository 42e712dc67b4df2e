import { describe, expect, test } from "vitest";
import { memoryStore } from "../../src/oauth/memory-store.js";
import { createRefusalError } from "../../src/oauth/refused-answer.js";
import { findClient } from "../../src/oauth/registration.js";
import { forgetUnknown, nameClientKey } from "../../src/oauth/stored-client.js";
import { CALLBACK, describeSearch, lastBody, register } from "./client-scene.js";
import { startDocuments } from "./documents.js";

describe("a registration that is kept", () => {
  test("is used again, and nothing is sent", async () => {
    const server = await startDocuments({ "/register": { client_id: "r" } });
    const store = memoryStore();

    const first = await register(server, { store });
    const second = await register(server, { store });

    expect(second).toMatchObject({ clientId: first.clientId, redirectUris: [CALLBACK] });
    expect(server.paths()).toEqual(["/register"]);
  });

  test("is made once for logins that begin at the same time", async () => {
    const server = await startDocuments({ "/register": { client_id: "r" } });
    const store = memoryStore();

    await Promise.all([register(server, { store }), register(server, { store }), register(server, { store })]);

    expect(server.paths()).toEqual(["/register"]);
  });

  test("tells the addresses to come back to before a login, whatever port it will have", async () => {
    const server = await startDocuments({ "/register": { client_id: "r" } });
    const store = memoryStore();
    await register(server, { store });

    const found = await findClient(describeSearch(server.origin, { store, search: { redirectUri: undefined } }));

    expect(found?.redirectUris).toEqual([CALLBACK]);
  });

  test("is replaced when the login comes back to another port", async () => {
    const server = await startDocuments({ "/register": { client_id: "r1" } });
    const store = memoryStore();
    await register(server, { store });
    server.serve({ "/register": { client_id: "r2" } });
    const redirectUri = "http://127.0.0.1:47002/callback";

    const client = await register(server, { store, search: { redirectUri } });

    expect(client).toMatchObject({ clientId: "r2", redirectUris: [redirectUri] });
    expect(lastBody(server).redirect_uris).toEqual([redirectUri]);
  });

  test("for a loopback address without a port is good for every port", async () => {
    const server = await startDocuments({
      "/register": { client_id: "r", redirect_uris: ["http://127.0.0.1/callback"] },
    });
    const store = memoryStore();
    await register(server, { store });

    await register(server, { store, search: { redirectUri: "http://127.0.0.1:47002/callback" } });

    expect(server.paths()).toEqual(["/register"]);
  });

  test("is replaced when its secret has ended", async () => {
    const past = Math.floor(Date.now() / 1000) - 1;
    const server = await startDocuments({
      "/register": { client_id: "r", client_secret: "s", client_secret_expires_at: past },
    });
    const store = memoryStore();
    await register(server, { store });

    await register(server, { store });

    expect(server.paths()).toEqual(["/register", "/register"]);
  });

  test("keeps a secret that has not ended", async () => {
    const future = Math.floor(Date.now() / 1000) + 3_600;
    const server = await startDocuments({
      "/register": { client_id: "r", client_secret: "s", client_secret_expires_at: String(future) },
    });
    const store = memoryStore();
    await register(server, { store });

    expect(await register(server, { store })).toMatchObject({
      authentication: { method: "client_secret_basic", secret: "s" },
      secretExpiresAt: future * 1000,
    });
    expect(server.paths()).toEqual(["/register"]);
  });

  test("is not shown to another server", async () => {
    const [one, other] = [
      await startDocuments({ "/register": { client_id: "r1" } }),
      await startDocuments({ "/register": { client_id: "r2" } }),
    ];
    const store = memoryStore();
    await register(one, { store });

    expect(await register(other, { store })).toMatchObject({ clientId: "r2" });
  });

  const unknown = createRefusalError("the token request", {
    error: "invalid_client",
    description: undefined,
    status: 401,
  });

  test("is forgotten once the server does not know it", async () => {
    const server = await startDocuments({ "/register": { client_id: "r" } });
    const store = memoryStore();
    const client = await register(server, { store });
    await forgetUnknown({ store, issuer: server.origin }, client, unknown);

    await register(server, { store });

    expect(server.paths()).toEqual(["/register", "/register"]);
  });

  test("stays when the server does not know the one before it", async () => {
    const server = await startDocuments({ "/register": { client_id: "r" } });
    const store = memoryStore();
    const client = await register(server, { store });
    await forgetUnknown({ store, issuer: server.origin }, { ...client, clientId: "before" }, unknown);

    await register(server, { store });

    expect(server.paths()).toEqual(["/register"]);
  });

  test.each([
    {},
    { clientId: 7 },
    { clientId: "r" },
    { clientId: "r", method: "none", redirectUris: [] },
    { clientId: "r", method: "none", redirectUris: ["https://a.test/"] },
    { clientId: "r", method: "none", redirectUris: [7, "not an address"] },
    { clientId: "r", method: "client_secret_basic" },
    { clientId: "r", method: "private_key_jwt", key: {} },
    { clientId: "r", method: "__proto__" },
  ])("is replaced when it is of no use (%j)", async (record) => {
    const server = await startDocuments({ "/register": { client_id: "new" } });
    const store = memoryStore();
    await store.set(nameClientKey(server.origin), record);

    expect(await register(server, { store })).toMatchObject({ clientId: "new" });
  });
});
