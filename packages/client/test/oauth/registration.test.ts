import { oauth } from "@mortise/client/oauth";
import { describe, expect, test } from "vitest";
import type { ClientOptions } from "../../src/oauth/client-options.js";
import { memoryStore } from "../../src/oauth/memory-store.js";
import { chooseClient } from "../../src/oauth/registration.js";
import { failureOf } from "../open-client.js";
import { CALLBACK, describeSearch, register } from "./client-scene.js";
import { startDocuments } from "./documents.js";

const CLIENT_URL = "https://app.example.com/client.json";

describe("a client that was registered beforehand", () => {
  const issuer = "https://auth.example.com";

  test("is shown to its own server", async () => {
    const options = {
      client: [
        { issuer: "https://b.example.com", clientId: "b" },
        { issuer, clientId: "a" },
      ],
    };

    expect(await chooseClient(describeSearch(issuer, { options }))).toEqual({
      clientId: "a",
      authentication: { method: "none" },
      source: "configured",
    });
  });

  test("comes before a metadata document and registration", async () => {
    const options = { client: { issuer, clientId: "a" }, clientMetadataUrl: CLIENT_URL };
    const metadata = { clientIdMetadataDocumentSupported: true, registrationEndpoint: `${issuer}/register` };

    expect(await chooseClient(describeSearch(issuer, { options, metadata }))).toMatchObject({ clientId: "a" });
  });

  test("is not shown to another server, and the error names both", async () => {
    const options = { client: { issuer: `${issuer}/`, clientId: "a", secret: "hidden-value" } };

    const error = await failureOf(chooseClient(describeSearch(issuer, { options })));

    expect(error).toMatchObject({ code: "login_required" });
    expect(error.message).toContain(`${issuer}/`);
    expect(error.message).not.toContain("hidden-value");
  });

  test("without an issuer belongs to the first server it is used with, in every program that shares the store", async () => {
    const store = memoryStore();
    const options = { client: { clientId: "a" } };

    await chooseClient(describeSearch(issuer, { options, store }));
    const other = chooseClient(describeSearch("https://b.example.com", { options, store }));

    expect(await failureOf(other)).toMatchObject({ code: "login_required" });
    expect(await chooseClient(describeSearch(issuer, { options, store }))).toMatchObject({ clientId: "a" });
  });

  test.each([
    ["a secret", { secret: "s" }, undefined, { method: "client_secret_basic", secret: "s" }],
    [
      "a secret",
      { secret: "s" },
      ["client_secret_post", "client_secret_basic"],
      { method: "client_secret_basic", secret: "s" },
    ],
    ["a secret", { secret: "s" }, ["client_secret_post", "none"], { method: "client_secret_post", secret: "s" }],
    ["a secret", { secret: "s" }, ["none"], { method: "client_secret_basic", secret: "s" }],
    [
      "a secret for post",
      { secret: "s", method: "client_secret_post" },
      undefined,
      { method: "client_secret_post", secret: "s" },
    ],
    ["a key", { key: { key: "pem" } }, undefined, { method: "private_key_jwt", key: { key: "pem" } }],
    ["nothing", {}, ["client_secret_basic"], { method: "none" }],
  ] as const)("with %s proves who it is as the server lists it (%j, %j)", async (_, secrets, listed, expected) => {
    const options = { client: { issuer, clientId: "a", ...secrets } };
    const metadata = { tokenAuthMethodsSupported: listed };

    expect((await chooseClient(describeSearch(issuer, { options, metadata }))).authentication).toEqual(expected);
  });

  test.each(["client_secret_basic", "client_secret_post", "private_key_jwt"] as const)(
    "has to have what %s needs",
    (method) => {
      const client = { issuer, clientId: "a", method };

      expect(() => oauth({ client })).toThrow(expect.objectContaining({ code: "invalid_options" }));
    },
  );

  test("has to have an id", () => {
    expect(() => oauth({ client: [{ clientId: "" }] })).toThrow(expect.objectContaining({ code: "invalid_options" }));
  });
});

describe("a client with a metadata document", () => {
  const issuer = "https://auth.example.com";
  const supported = { clientIdMetadataDocumentSupported: true, registrationEndpoint: `${issuer}/register` };

  test("is named by the address of that, byte for byte, where the server supports it", async () => {
    const options = { clientMetadataUrl: "https://app.example.com/a%2fb.json?x" };

    expect(await chooseClient(describeSearch(issuer, { options, metadata: supported }))).toEqual({
      clientId: "https://app.example.com/a%2fb.json?x",
      authentication: { method: "none" },
      source: "metadata-document",
    });
  });

  test("is registered where the server does not support it", async () => {
    const server = await startDocuments({ "/register": { client_id: "r" } });

    expect(await register(server, { options: { clientMetadataUrl: CLIENT_URL } })).toMatchObject({ clientId: "r" });
  });

  test.each([
    "http://app.example.com/client.json",
    "https://app.example.com",
    "https://app.example.com/",
    "client.json",
    "https://u:p@a.test/c",
    "https://a.test/c#d",
    "",
  ])("is refused at the address %j", (clientMetadataUrl) => {
    expect(() => oauth({ clientMetadataUrl })).toThrow(expect.objectContaining({ code: "invalid_options" }));
  });
});

describe("somebody who is asked for a client", () => {
  const issuer = "https://auth.example.com";

  test("is told the server and the addresses, and asked once", async () => {
    const store = memoryStore();
    const questions: unknown[] = [];
    const options: ClientOptions = {
      askForClient: async (question) => {
        questions.push(question);
        return { clientId: "asked", secret: "s" };
      },
    };

    await chooseClient(describeSearch(issuer, { options, store }));
    const client = await chooseClient(describeSearch(issuer, { options, store }));

    expect(questions).toEqual([{ issuer, redirectUris: [CALLBACK], refusal: undefined }]);
    expect(client).toMatchObject({
      clientId: "asked",
      authentication: { method: "client_secret_basic", secret: "s" },
      source: "asked",
    });
  });

  test("is told why the server registers none", async () => {
    const server = await startDocuments({ "/register": [403, '{"error":"access_denied"}'] });
    let refusal: unknown;
    const options: ClientOptions = {
      askForClient: async (question) => {
        refusal = question.refusal;
        return { issuer: server.origin, clientId: "asked" };
      },
    };

    expect(await register(server, { options })).toMatchObject({ clientId: "asked" });
    expect(refusal).toMatchObject({ message: expect.stringContaining("access_denied") });
  });

  test("may know none", async () => {
    const options = { askForClient: async () => undefined };

    expect(await failureOf(chooseClient(describeSearch(issuer, { options })))).toMatchObject({
      code: "login_required",
    });
  });

  test("cannot give the client of another server", async () => {
    const options = { askForClient: async () => ({ issuer: "https://b.example.com", clientId: "b" }) };

    expect(await failureOf(chooseClient(describeSearch(issuer, { options })))).toMatchObject({
      code: "login_required",
    });
  });

  test("has to give the secret too, where one is needed", async () => {
    const options: ClientOptions = { askForClient: async () => ({ clientId: "a", method: "client_secret_post" }) };

    expect(await failureOf(chooseClient(describeSearch(issuer, { options })))).toMatchObject({
      code: "invalid_options",
    });
  });

  test("is not there: the error says what can be configured", async () => {
    const error = await failureOf(chooseClient(describeSearch(issuer, {})));

    expect(error).toMatchObject({ code: "login_required" });
    expect(error.message).toContain("clientMetadataUrl");
  });
});
