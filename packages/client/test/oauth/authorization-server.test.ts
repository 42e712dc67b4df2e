import { afterEach, describe, expect, test, vi } from "vitest";
import { discoverServer } from "../../src/oauth/authorization-server.js";
import { createSendGuarded } from "../../src/oauth/guarded-fetch.js";
import type { ProtectedResource, ServerMetadata } from "../../src/oauth/server-metadata.js";
import { failureOf } from "../open-client.js";
import { type DocumentServer, never, sendFor, startDocuments } from "./documents.js";

const OAUTH = "/.well-known/oauth-authorization-server";
const OPENID = "/.well-known/openid-configuration";

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Looks up an issuer that a server's metadata names. */
function discover(issuer: string, resource: Partial<ProtectedResource> = {}): Promise<ServerMetadata> {
  const server = "http://127.0.0.1:1/mcp";
  return discoverServer({
    issuer,
    resource: { resource: server, issuers: [issuer], dpopRequired: false, source: "metadata", ...resource },
    send: sendFor(server),
    signal: never(),
  });
}

function describeServer(issuer: string, others: object = {}): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    ...others,
  };
}

/** A server that publishes one document at one place, for an issuer with the given path. */
async function startAt(place: string, path = ""): Promise<DocumentServer> {
  const server = await startDocuments();
  server.serve({ [place]: describeServer(`${server.origin}${path}`) });
  return server;
}

describe("where the metadata of an issuer is looked for", () => {
  test.each([
    ["the place of OAuth", OAUTH, "oauth", [OAUTH]],
    ["the place of OpenID", OPENID, "openid", [OAUTH, OPENID]],
  ])("without a path: %s", async (_, place, source, paths) => {
    const server = await startAt(place);

    expect(await discover(server.origin)).toMatchObject({ issuer: server.origin, source });

    expect(server.paths()).toEqual(paths);
  });

  test.each([
    ["the place of OAuth", `${OAUTH}/tenant/a`, "oauth"],
    ["the place of OpenID before the path", `${OPENID}/tenant/a`, "openid"],
    ["the place of OpenID after the path", `/tenant/a${OPENID}`, "openid"],
  ])("with a path: %s, and never the root", async (_, place, source) => {
    const server = await startAt(place, "/tenant/a");

    expect(await discover(`${server.origin}/tenant/a`)).toMatchObject({ source });

    const all = [`${OAUTH}/tenant/a`, `${OPENID}/tenant/a`, `/tenant/a${OPENID}`];
    expect(server.paths()).toEqual(all.slice(0, all.indexOf(place) + 1));
  });

  test.each([
    [400, 403],
    [401, 404],
    [404, 410],
    [500, 503],
  ])("goes on after HTTP %i and %i", async (first, second) => {
    const server = await startDocuments();
    const issuer = `${server.origin}/tenant-a`;
    server.serve({
      [`${OAUTH}/tenant-a`]: first,
      [`${OPENID}/tenant-a`]: second,
      [`/tenant-a${OPENID}`]: describeServer(issuer),
    });

    expect(await discover(issuer)).toMatchObject({ authorizationEndpoint: `${issuer}/authorize` });

    expect(server.paths()).toHaveLength(3);
  });

  test("does not double the slash at the end of an issuer", async () => {
    const server = await startDocuments();
    const issuer = `${server.origin}/a/`;
    server.serve({ [`${OAUTH}/a`]: describeServer(issuer) });

    expect((await discover(issuer)).issuer).toBe(issuer);
  });

  test("is never the protected server once it names an issuer", async () => {
    const decoy = await startDocuments();
    decoy.serve({ [OAUTH]: describeServer(decoy.origin), [OPENID]: describeServer(decoy.origin) });
    const server = await startDocuments();

    const error = await failureOf(discover(server.origin, { resource: `${decoy.origin}/apis/mcp` }));

    expect(error).toMatchObject({ code: "login_failed" });
    expect(decoy.paths()).toEqual([]);
  });

  test("is nowhere for an issuer that the server does not name", async () => {
    const server = await startAt(OAUTH);

    expect(await failureOf(discover(server.origin, { issuers: ["https://auth.example.com"] }))).toMatchObject({
      code: "login_failed",
    });

    expect(server.paths()).toEqual([]);
  });

  test("is anywhere for an issuer that the program itself names", async () => {
    const { origin } = await startAt(OAUTH);
    const resource = { resource: origin, issuers: [], dpopRequired: false, source: "metadata" } as const;

    const found = await discoverServer({
      issuer: origin,
      resource,
      send: sendFor(origin),
      signal: never(),
      trusted: true,
    });

    expect(found.issuer).toBe(origin);
  });

  test.each([
    "http://10.0.0.1",
    "http://169.254.169.254",
    "file:///etc/passwd",
    "auth.example.com",
    "https://auth.example.com/?a=b",
    "https://auth.example.com/#a",
    "https://u:p@auth.example.com",
    "http://auth.example.com",
    "",
  ])("is nowhere for an issuer %j", async (issuer) => {
    expect(await failureOf(discover(issuer))).toMatchObject({ code: "address_refused" });
  });
});

describe("metadata that cannot be used", () => {
  test.each([
    ["another host", (origin: string) => origin.replace("127.0.0.1", "localhost")],
    ["a slash more", (origin: string) => `${origin}/`],
    ["capitals", (origin: string) => origin.replace("http", "HTTP")],
    ["nothing", () => undefined],
    ["a number", () => 7],
  ])("has another issuer: %s", async (_, issuerOf) => {
    const server = await startDocuments();
    const document = { ...describeServer(server.origin), issuer: issuerOf(server.origin) };
    server.serve({ [OAUTH]: document, [OPENID]: document });

    const error = await failureOf(discover(server.origin));

    expect(error).toMatchObject({ code: "login_failed" });
    expect(error.message).toContain(`"${server.origin}"`);
    expect(server.paths()).toEqual([OAUTH, OPENID]);
  });

  test("does not hide usable metadata at the next place", async () => {
    const server = await startDocuments();
    server.serve({ [OAUTH]: describeServer("https://other.example.com"), [OPENID]: describeServer(server.origin) });

    expect(await discover(server.origin)).toMatchObject({ issuer: server.origin, source: "openid" });
  });

  test.each(["{", "<html>", "[]", "null", "7", ""])(
    "is no JSON object: %j, and the error lists what was tried",
    async (text) => {
      const server = await startDocuments();
      server.serve({ [OAUTH]: [200, text], [OPENID]: [503, "secret-body"] });

      const error = await failureOf(discover(server.origin));

      expect(error).toMatchObject({ code: "login_failed" });
      expect(error.message).toContain(`${server.origin}${OAUTH}`);
      expect(error.message).toContain(`${server.origin}${OPENID}: HTTP 503`);
      expect(error.message).not.toContain("secret-body");
    },
  );

  test("has no token endpoint", async () => {
    const server = await startDocuments();
    server.serve({ [OAUTH]: { issuer: server.origin } });

    expect((await failureOf(discover(server.origin))).message).toContain('"token_endpoint"');
  });

  const endpoints = [
    "authorization_endpoint",
    "token_endpoint",
    "registration_endpoint",
    "revocation_endpoint",
    "device_authorization_endpoint",
  ];
  const dangerous = [
    "javascript:alert(1)//",
    " javascript:1",
    "java\tscript:1",
    "file:///etc/passwd",
    "smb://127.0.0.1/x",
    "data:text/html,<script>1</script>",
    "vscode://x",
    "HTTP://auth.example.com/authorize",
    "http://evil.example/authorize",
    "https://u:p@x.example/",
    "//x.example/a",
    "",
    7,
  ];

  test.each(endpoints)("names an address in %s that may not be asked or opened", async (member) => {
    const server = await startDocuments();

    for (const address of dangerous) {
      server.serve({ [OAUTH]: describeServer(server.origin, { [member]: address }) });
      const error = await failureOf(discover(server.origin));
      expect([address, error]).toMatchObject([address, { code: "address_refused" }]);
      expect(error.message).toContain(`"${member}"`);
    }
    expect(server.paths().every((path) => path === OAUTH)).toBe(true);
  });

  test.each(["token_endpoint", "registration_endpoint"])("names an address inside in %s", async (member) => {
    const server = await startDocuments();

    for (const address of ["https://169.254.169.254/", "https://[fe80::1]/", "http://10.0.0.1/", "https://0.0.0.0/"]) {
      server.serve({ [OAUTH]: describeServer(server.origin, { [member]: address }) });
      expect(await failureOf(discover(server.origin))).toMatchObject({ code: "address_refused" });
    }
  });
});

describe("what the metadata says", () => {
  test("is read member by member, and what is no text left out", async () => {
    const server = await startDocuments();
    server.serve({
      [OAUTH]: describeServer(server.origin, {
        registration_endpoint: `${server.origin}/register`,
        revocation_endpoint: null,
        device_authorization_endpoint: `${server.origin}/device`,
        scopes_supported: ["a", null, "offline_access"],
        grant_types_supported: "authorization_code",
        token_endpoint_auth_methods_supported: ["none"],
        code_challenge_methods_supported: ["S256"],
        dpop_signing_alg_values_supported: ["ES256"],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: "true",
      }),
    });

    expect(await discover(server.origin)).toEqual({
      issuer: server.origin,
      authorizationEndpoint: `${server.origin}/authorize`,
      tokenEndpoint: `${server.origin}/token`,
      registrationEndpoint: `${server.origin}/register`,
      deviceAuthorizationEndpoint: `${server.origin}/device`,
      scopesSupported: ["a", "offline_access"],
      tokenAuthMethodsSupported: ["none"],
      codeChallengeMethodsSupported: ["S256"],
      dpopAlgorithmsSupported: ["ES256"],
      issParameterSupported: true,
      clientIdMetadataDocumentSupported: false,
      source: "oauth",
    });
  });

  test("does no harm with names of built-in members", async () => {
    const server = await startDocuments();
    const members = `"issuer":"${server.origin}","token_endpoint":"${server.origin}/token"`;
    server.serve({ [OAUTH]: [200, `{"__proto__":{"issuer":"x","a":1},"constructor":{"b":2},${members}}`] });

    const found = await discover(server.origin);

    expect(found).toMatchObject({ issuer: server.origin });
    expect(found).not.toHaveProperty("a");
    expect({}).not.toHaveProperty("a");
  });

  test("may have https in capitals, and endpoints on other public hosts", async () => {
    const server = await startDocuments();
    server.serve({
      [OAUTH]: describeServer(server.origin, { authorization_endpoint: "HTTPS://login.example.com/a?b=c" }),
    });

    expect((await discover(server.origin)).authorizationEndpoint).toBe("https://login.example.com/a?b=c");
  });
});

describe("a server that publishes nothing about itself", () => {
  /** Looks up the protected server itself, as under 2025-03-26. */
  function discoverSelf(server: DocumentServer): Promise<ServerMetadata> {
    return discover(server.origin, { source: "none", resource: `${server.origin}/v1/mcp`, tried: ["here: HTTP 404"] });
  }

  test("may publish the metadata of an authorization server at its origin", async () => {
    const server = await startAt(OAUTH);

    expect(await discoverSelf(server)).toMatchObject({ tokenEndpoint: `${server.origin}/token`, source: "oauth" });

    expect(server.fake.log[0]?.headers["mcp-protocol-version"]).toBe("2025-03-26");
  });

  test("is asked without a header of the protocol where a browser must not send one", async () => {
    vi.stubGlobal("document", {});
    const issuer = "https://mcp.example.com";
    const fetch: typeof globalThis.fetch = async (_, init) => {
      if (new Headers(init?.headers).has("mcp-protocol-version")) throw new TypeError("Failed to fetch");
      return Response.json(describeServer(issuer));
    };
    const send = createSendGuarded({ server: new URL(issuer), hosted: false, fetch });
    const resource = { resource: issuer, issuers: [issuer], dpopRequired: false, source: "none" } as const;

    expect(await discoverServer({ issuer, resource, send, signal: never() })).toMatchObject({ source: "oauth" });
  });

  test("may end its issuer with a slash, which then is the issuer", async () => {
    const server = await startDocuments();
    server.serve({ [OAUTH]: { ...describeServer(server.origin), issuer: `${server.origin}/` } });

    expect((await discoverSelf(server)).issuer).toBe(`${server.origin}/`);
  });

  test("has the endpoints of 2025-03-26 when there is no metadata at all", async () => {
    const server = await startDocuments();

    expect(await discoverSelf(server)).toMatchObject({
      issuer: server.origin,
      authorizationEndpoint: `${server.origin}/authorize`,
      tokenEndpoint: `${server.origin}/token`,
      registrationEndpoint: `${server.origin}/register`,
      source: "assumed",
    });
  });

  test.each([
    ["fails", [503, "no"] as const],
    ["answers with a page", [200, "<html>"] as const],
    ["publishes somebody else's metadata", describeServer("https://auth.example.com")],
  ])("has no such endpoints when it %s", async (_, answer) => {
    const server = await startDocuments();
    server.serve({ [OAUTH]: answer });

    const error = await failureOf(discoverSelf(server));

    expect(error).toMatchObject({ code: "login_failed" });
    expect(error.message).toContain("here: HTTP 404");
  });

  test("is not one whose metadata names the server itself", async () => {
    const server = await startDocuments();

    expect(await failureOf(discover(server.origin))).toMatchObject({ code: "login_failed" });
  });
});
