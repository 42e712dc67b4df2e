import { afterEach, describe, expect, test, vi } from "vitest";
import { discoverResource } from "../../src/oauth/protected-resource.js";
import type { ProtectedResource } from "../../src/oauth/server-metadata.js";
import { failureOf } from "../open-client.js";
import { type DocumentServer, never, sendFor, startDocuments } from "./documents.js";

const WELL_KNOWN = "/.well-known/oauth-protected-resource";
const ISSUER = "https://auth.example.com";

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Looks up who gives tokens for an endpoint of a server. */
function discover(
  { origin }: DocumentServer,
  { path = "/mcp", metadataUrl }: { path?: string; metadataUrl?: string } = {},
): Promise<ProtectedResource> {
  const server = new URL(`${origin}${path}`);
  return discoverResource({ server, metadataUrl, send: sendFor(server.href), signal: never() });
}

function describeResource(resource: string, others: object = {}): object {
  return { resource, authorization_servers: [ISSUER], ...others };
}

describe("where metadata is looked for", () => {
  test("first where the challenge says, and nowhere else when it is there", async () => {
    const server = await startDocuments();
    server.serve({ "/custom": describeResource(`${server.origin}/mcp`) });

    const found = await discover(server, { metadataUrl: `${server.origin}/custom` });

    expect(found).toMatchObject({ resource: `${server.origin}/mcp`, issuers: [ISSUER], source: "metadata" });
    expect(server.paths()).toEqual(["/custom"]);
  });

  test("at the path of the endpoint, and not at the root when it is there", async () => {
    const server = await startDocuments();
    server.serve({
      [`${WELL_KNOWN}/mcp`]: describeResource(`${server.origin}/mcp`),
      [WELL_KNOWN]: describeResource(server.origin, { authorization_servers: ["https://other.example.com"] }),
    });

    const found = await discover(server);

    expect(found).toMatchObject({ resource: `${server.origin}/mcp`, issuers: [ISSUER] });
    expect(server.paths()).toEqual([`${WELL_KNOWN}/mcp`]);
  });

  test.each([400, 401, 403, 404, 405, 410])("at the root, when the path is refused with %i", async (status) => {
    const server = await startDocuments();
    server.serve({ [`${WELL_KNOWN}/mcp`]: status, [WELL_KNOWN]: describeResource(server.origin) });

    expect(await discover(server)).toMatchObject({ resource: server.origin, source: "metadata" });

    expect(server.paths()).toEqual([`${WELL_KNOWN}/mcp`, WELL_KNOWN]);
  });

  test("at the well-known places, when there is nothing where the challenge says", async () => {
    const server = await startDocuments();
    server.serve({ [WELL_KNOWN]: describeResource(server.origin) });

    await discover(server, { metadataUrl: `${server.origin}/gone` });

    expect(server.paths()).toEqual(["/gone", `${WELL_KNOWN}/mcp`, WELL_KNOWN]);
  });

  test("once at the root, for an endpoint at the root", async () => {
    const server = await startDocuments();

    await discover(server, { path: "/" });

    expect(server.paths()).toEqual([WELL_KNOWN]);
  });

  test("after a page that is no document", async () => {
    const server = await startDocuments();
    server.serve({ [`${WELL_KNOWN}/mcp`]: [200, "<html>"], [WELL_KNOWN]: describeResource(server.origin) });

    expect(await discover(server)).toMatchObject({ source: "metadata" });
  });

  test("never where it may not be, and the refusal says so", async () => {
    const server = await startDocuments();

    for (const metadataUrl of [
      "http://169.254.169.254/latest/",
      "file:///etc/passwd",
      "http://2852039166/",
      "http://10.0.0.1/",
    ])
      expect(await failureOf(discover(server, { metadataUrl }))).toMatchObject({ code: "address_refused" });

    expect(server.paths()).toEqual([]);
  });
});

describe("the resource of the metadata", () => {
  test.each(["/mcp", "/", "", "/mcp/", "/a%2Fb/mcp", "/a%2fb/mcp", "/mcp?tenant=1"])(
    "is taken byte for byte (%j)",
    async (suffix) => {
      const server = await startDocuments();
      server.serve({ "/custom": describeResource(`${server.origin}${suffix}`) });
      const path = suffix === "" ? "/" : suffix;

      const found = await discover(server, { path, metadataUrl: `${server.origin}/custom` });

      expect(found.resource).toBe(`${server.origin}${suffix}`);
    },
  );

  test("may write its host in capitals", async () => {
    const server = await startDocuments();
    const resource = server.origin.replace("http:", "HTTP:");
    server.serve({ [WELL_KNOWN]: describeResource(resource) });

    expect((await discover(server)).resource).toBe(resource);
  });

  test.each([
    ["another origin", () => "https://mcp.example.com/mcp"],
    ["part of a segment", (origin: string) => `${origin}/mc`],
    ["a longer path", (origin: string) => `${origin}/mcp/admin`],
    ["a neighbour", (origin: string) => `${origin}/mcp-admin`],
    ["another query", (origin: string) => `${origin}/mcp?tenant=2`],
    ["a fragment", (origin: string) => `${origin}/mcp#a`],
    ["no address", () => "mcp"],
  ])("must cover the configured address: %s is refused", async (_, name) => {
    const server = await startDocuments();
    server.serve({
      "/custom": describeResource(name(server.origin)),
      [WELL_KNOWN]: describeResource(name(server.origin)),
    });

    const advertised = await failureOf(discover(server, { metadataUrl: `${server.origin}/custom` }));
    const paths = server.paths();
    const wellKnown = await failureOf(discover(server));

    expect(paths).toEqual(["/custom"]);
    expect(advertised).toMatchObject({ code: "login_failed" });
    expect(wellKnown).toMatchObject({ code: "login_failed" });
    expect(advertised.message).toContain(name(server.origin));
  });

  test("of a neighbour at the path does not hide one at the root that fits", async () => {
    const server = await startDocuments();
    server.serve({
      [`${WELL_KNOWN}/mcp`]: describeResource(`${server.origin}/other`),
      [WELL_KNOWN]: describeResource(server.origin),
    });

    expect((await discover(server)).resource).toBe(server.origin);
  });
});

describe("what the metadata says", () => {
  test("is read with its scopes and whether tokens have to be bound", async () => {
    const server = await startDocuments();
    const others = { scopes_supported: ["a", 7, "b"], dpop_bound_access_tokens_required: true };
    server.serve({ [WELL_KNOWN]: describeResource(server.origin, others) });

    expect(await discover(server)).toMatchObject({ scopesSupported: ["a", "b"], dpopRequired: true });
  });

  test("names several issuers, each once and in order", async () => {
    const server = await startDocuments();
    const issuers = ["https://a.example.com", "https://b.example.com/", "https://a.example.com", "", null];
    server.serve({ [WELL_KNOWN]: describeResource(server.origin, { authorization_servers: issuers }) });

    expect((await discover(server)).issuers).toEqual(["https://a.example.com", "https://b.example.com/"]);
  });

  test("may name a thousand issuers, and nobody asks them", async () => {
    const server = await startDocuments();
    const issuers = Array.from({ length: 1_000 }, (_, at) => `https://a${at}.example.com`);
    server.serve({ [WELL_KNOWN]: describeResource(server.origin, { authorization_servers: issuers }) });

    const found = await discover(server);

    expect(found.issuers.length).toBeLessThan(100);
    expect(found.issuers[0]).toBe("https://a0.example.com");
  });

  test.each([undefined, [], "https://auth.example.com", null])(
    "names the server itself with issuers of %j",
    async (issuers) => {
      const server = await startDocuments();
      server.serve({ [WELL_KNOWN]: describeResource(server.origin, { authorization_servers: issuers }) });

      expect(await discover(server)).toMatchObject({ issuers: [server.origin], source: "metadata" });
    },
  );

  test("does no harm with names of built-in members", async () => {
    const server = await startDocuments();
    const text = `{"__proto__":{"scopes_supported":["x"]},"constructor":{"a":1},"resource":"${server.origin}"}`;
    server.serve({ [WELL_KNOWN]: [200, text] });

    expect((await discover(server)).scopesSupported).toBeUndefined();
    expect(({} as { scopes_supported?: unknown }).scopes_supported).toBeUndefined();
  });
});

describe("a server without metadata", () => {
  test("gives tokens itself, for its own address without query and fragment", async () => {
    const server = await startDocuments();

    const found = await discover(server, { path: "/mcp?key=hidden-value#a" });

    expect(found).toMatchObject({ resource: `${server.origin}/mcp`, issuers: [server.origin], source: "none" });
  });

  test("is named without a slash at the root", async () => {
    const server = await startDocuments();

    expect((await discover(server, { path: "/" })).resource).toBe(server.origin);
  });

  test("that answers every address with a page gives tokens itself too", async () => {
    const server = await startDocuments();
    server.serve({ [`${WELL_KNOWN}/mcp`]: [200, "<html>"], [WELL_KNOWN]: [200, "<html>"] });

    expect(await discover(server)).toMatchObject({ source: "none" });
  });

  test("is not one whose challenge names metadata that cannot be read", async () => {
    const server = await startDocuments();
    server.serve({ "/custom": [200, "{"] });

    const error = await failureOf(discover(server, { metadataUrl: `${server.origin}/custom` }));

    expect(error).toMatchObject({ code: "login_failed" });
    expect(error.message).toContain(`${server.origin}/custom`);
  });

  test.each([500, 503, 429])("is not one that answers %i, which is named after the other places", async (status) => {
    const server = await startDocuments();
    server.serve({ [`${WELL_KNOWN}/mcp`]: status });

    const error = await failureOf(discover(server));

    expect(error).toMatchObject({ code: "login_failed" });
    expect(error.message).toContain(`${server.origin}${WELL_KNOWN}/mcp`);
    expect(error.message).toContain(String(status));
    expect(server.paths()).toEqual([`${WELL_KNOWN}/mcp`, WELL_KNOWN]);
  });

  test("that failed at the path still has its metadata at the root", async () => {
    const server = await startDocuments();
    server.serve({ [`${WELL_KNOWN}/mcp`]: 500, [WELL_KNOWN]: describeResource(server.origin) });

    expect(await discover(server)).toMatchObject({ source: "metadata" });
  });

  test("may hide that from a browser by forgetting its CORS headers", async () => {
    vi.stubGlobal("document", {});
    const send = () => Promise.reject(new TypeError("Failed to fetch"));
    const server = new URL("https://mcp.example.com/mcp");
    const { createSendGuarded } = await import("../../src/oauth/guarded-fetch.js");
    const guarded = createSendGuarded({ server, hosted: false, fetch: send });

    const found = await discoverResource({ server, metadataUrl: undefined, send: guarded, signal: never() });

    expect(found).toMatchObject({ source: "none" });
  });
});

test("a search that is called off rejects with the reason", async () => {
  const server = await startDocuments();
  const controller = new AbortController();
  controller.abort(new Error("enough"));

  const search = { server: new URL(`${server.origin}/mcp`), metadataUrl: undefined, send: sendFor(server.origin) };

  expect((await failureOf(discoverResource({ ...search, signal: controller.signal }))).message).toBe("enough");
  expect(server.paths()).toEqual([]);
});
