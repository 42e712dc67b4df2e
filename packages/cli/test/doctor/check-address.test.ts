import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type HttpInfo, http } from "@mortise/node";
import { MCPServer } from "@mortise/server";
import { afterEach, describe, expect, test } from "vitest";
import { checkServer } from "../../src/doctor/check-server.js";
import type { ServerCheck } from "../../src/doctor/describe-server.js";
import type { Finding } from "../../src/doctor/finding.js";
import { readTarget } from "../../src/doctor/target.js";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

/** Starts a server that answers everything the same way, and counts. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => answer(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a server on a port has one
}

function serveStatus(status: number, body = "", headers: Record<string, string> = {}): Promise<string> {
  return serve((_request, response) => response.writeHead(status, headers).end(body));
}

async function serveMcp(path: string): Promise<HttpInfo> {
  const server = new MCPServer({ name: "forecast", version: "1.2.3" });
  server.tool("greet", { description: "Greets" }, () => "Hello");
  closers.push(() => server.close());
  return server.listen(http({ port: 0, path }));
}

function check(url: string, header: readonly string[] = []): Promise<ServerCheck> {
  const target = readTarget({ words: [url], header, env: [] }, { TOKEN: "secret-value" })!;
  return checkServer(target, { timeoutMs: 5_000, version: "1.0.0" });
}

async function findFailure(url: string, header?: readonly string[]): Promise<Finding> {
  const { findings, report } = await check(url, header);
  expect(report).toBeUndefined();
  expect(findings).toMatchObject([{ state: "failed" }]);
  return findings[0]!;
}

describe("a server over HTTP that works", () => {
  test("is described, with the revisions it lists", async () => {
    const { url } = await serveMcp("/mcp");

    const { findings, report } = await check(url);

    expect(findings.every(({ state }) => state === "ok")).toBe(true);
    expect(report).toMatchObject({
      era: "modern",
      protocolVersion: "2026-07-28",
      transport: "streamable-http",
      serverInfo: { name: "forecast", version: "1.2.3" },
      tools: ["greet"],
    });
    expect(report?.supportedVersions).toContain("2025-11-25");
  });

  test("gets headers with their placeholders filled in", async () => {
    const seen: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(401).end();
    });

    const { text } = await findFailure(url, [`Authorization: Bearer \${TOKEN}`]);

    expect(new Set(seen)).toEqual(new Set(["Bearer secret-value"]));
    expect(text).toContain("credentials");
    expect(text).not.toContain("secret-value");
  });
});

describe("what is wrong with a server over HTTP", () => {
  test("nobody listens", async () => {
    const url = await serveStatus(200);
    await closers.pop()!();

    expect((await findFailure(url)).text).toContain(new URL(url).host);
  });

  test("it speaks no TLS", async () => {
    const url = await serveStatus(200);

    expect((await findFailure(url.replace("http:", "https:"))).hint).toContain("http://");
  });

  test("it wants a login, and says where", async () => {
    const challenge = 'Bearer resource_metadata="https://example.com/.well-known/oauth-protected-resource"';
    const url = await serveStatus(401, "", { "www-authenticate": challenge });

    const { text, hint } = await findFailure(url);

    expect(text).toContain("login");
    expect(hint).toContain("--header");
  });

  test("it wants credentials, and does not say where to get them", async () => {
    expect((await findFailure(await serveStatus(401))).hint).toContain("--header");
  });

  test("it wants credentials, and says so in JSON-RPC", async () => {
    const error = { code: -32600, message: "Expected a token" };
    const answer = JSON.stringify({ jsonrpc: "2.0", id: null, error });
    const url = await serveStatus(401, answer, { "content-type": "application/json", "www-authenticate": "Bearer" });

    const { text, hint } = await findFailure(url);

    expect(text).toContain("401");
    expect(hint).toContain("--header");
  });

  test("it refuses the credentials, and says why", async () => {
    const challenge = 'Bearer error="invalid_token", error_description="The token has expired"';
    const url = await serveStatus(401, "", { "www-authenticate": challenge });

    expect((await findFailure(url, ["X-Api-Key: k"])).text).toContain("The token has expired");
  });

  test("the token lacks a scope", async () => {
    const challenge = 'Bearer error="insufficient_scope", scope="files:write"';
    const url = await serveStatus(403, "", { "www-authenticate": challenge });

    expect((await findFailure(url)).text).toContain("files:write");
  });

  test("the path is wrong, and the right one is found", async () => {
    const { url } = await serveMcp("/mcp");

    expect((await findFailure(url.replace("/mcp", "/api"))).hint).toContain(url);
  });

  test("nothing is there", async () => {
    expect((await findFailure(await serveStatus(404))).text).toContain("404");
  });

  test("a web page answers", async () => {
    const url = await serveStatus(200, "<!doctype html><title>Hi</title>", { "content-type": "text/html" });

    expect((await findFailure(url)).text).toContain("web page");
  });

  test("something else answers", async () => {
    const url = await serveStatus(200, '{"status":"up"}', { "content-type": "application/json" });

    expect((await findFailure(url)).text).toContain("no MCP server");
  });

  test("it is asked too often", async () => {
    const url = await serveStatus(429, "", { "retry-after": "120" });

    expect((await findFailure(url)).hint).toContain("120");
  });

  test("it fails, and says why", async () => {
    expect((await findFailure(await serveStatus(500, "no database"))).text).toContain("no database");
  });

  test("it hangs up", async () => {
    const url = await serve((request) => request.socket.destroy());

    expect((await findFailure(url)).hint).toContain("https://");
  });

  test("it sends elsewhere", async () => {
    const url = await serveStatus(307, "", { location: "https://example.com/mcp" });

    expect((await findFailure(url)).text).toContain("https://example.com");
  });
});

test.each([
  ["a refusal", 400],
  ["a failure", 500],
])("a server that repeats its credentials in %s does not get them shown", async (_what, status) => {
  const url = await serve((request, response) => {
    response.writeHead(status).end(`Not for ${request.headers.authorization} at ${request.url}`);
  });

  const { text } = await findFailure(`${url}?key=query-secret`, [`Authorization: Bearer \${TOKEN}`]);

  expect(text).not.toMatch(/secret/);
});
