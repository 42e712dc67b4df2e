import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Verifier } from "@mortise/http";
import { createNodeHttpHandler } from "@mortise/node";
import { afterEach, describe, expect, test } from "vitest";
import { createFixture, modern } from "./fixture.js";
import { exchangeBytes, formatRequest, type RawAnswer } from "./raw-client.js";

const CALL = modern("tools/call", { name: "echo", arguments: {} });
const servers: Server[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

/** Builds its challenge out of the address it is shown, without a thought about quotes. */
const CARELESS: Verifier = {
  verify: ({ url }) => {
    const { origin } = new URL(url);
    const challenge = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource", error_uri="${url}"`;
    return { refused: { status: 401, message: "Expected a token", headers: ["WWW-Authenticate", challenge] } };
  },
};

/** One challenge and its parameters, or nothing for what a strict reader refuses. */
function parseChallenge(header: string): Record<string, string> | undefined {
  const whole = /^Bearer ((?:[a-z_]+="[^"\\\r\n]*"(?:, )?)+)$/.exec(header)?.[1];
  if (whole === undefined) return undefined;
  return Object.fromEntries(
    [...whole.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]),
  );
}

async function ask(target: string, headers: readonly (readonly [string, string])[]): Promise<RawAnswer> {
  const handler = createNodeHttpHandler(createFixture().server, { auth: CARELESS, allowedHosts: "*", path: "*" });
  const listener = createServer((request, response) => handler(request, response));
  servers.push(listener);
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  const all = [...headers, ["Connection", "close"] as const, ...Object.entries(CALL.headers)];
  return exchangeBytes(port, formatRequest(`POST ${target} HTTP/1.1`, all, CALL.body));
}

describe("a challenge made of the address that was asked for", () => {
  test.each([
    ["a forwarded host", "/mcp", [["X-Forwarded-Host", "evil.example"]]],
    ["a forwarded host with a quote", "/mcp", [["X-Forwarded-Host", 'evil.example", error="x']]],
    ["a forwarding header", "/mcp", [["Forwarded", "host=evil.example"]]],
    ["a forwarded scheme", "/mcp", [["X-Forwarded-Proto", "javascript"]]],
    ["an encoded quote in the path", "/mcp%22,%20realm=%22x", []],
    ["a quote in the path", '/mcp",realm="x', []],
    ["a quote in the query", '/mcp?a=",realm="x', []],
    ["encoded line ends in the path", "/mcp%0d%0aX-Evil:1", []],
  ] as const)("is one challenge for this host, whatever comes with %s", async (_, target, headers) => {
    const answer = await ask(target, [["Host", "good.example"], ...headers]);

    const challenge = parseChallenge(answer.headers.get("www-authenticate") ?? "");
    expect(answer.status).toBe(401);
    expect(Object.keys(challenge ?? {})).toEqual(["resource_metadata", "error_uri"]);
    expect(challenge?.resource_metadata).toBe("http://good.example/.well-known/oauth-protected-resource");
    expect(JSON.stringify([...answer.headers])).not.toMatch(/evil\.example|javascript|x-evil/);
  });

  test.each([
    'a"b',
    'good.example", error="x',
    "good.example/evil",
    "user@good.example",
    "good.example:99999",
    "a b",
    "good.example, evil.example",
  ])("is never made for the host %s, which is refused with 400", async (host) => {
    const answer = await ask("/mcp", [["Host", host]]);

    expect(answer.status).toBe(400);
    expect(answer.headers.has("www-authenticate")).toBe(false);
  });
});
