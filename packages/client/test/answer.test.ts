import { expect, test } from "vitest";
import { startFake } from "./fake-http.js";
import { serveLegacy } from "./legacy-server.js";
import { serveModern } from "./modern-server.js";
import { failureOf, openClient } from "./open-client.js";

const SERVERS = [
  ["modern", serveModern],
  ["legacy", (overrides = {}) => serveLegacy({ overrides })],
] as const satisfies readonly (readonly [string, typeof serveModern])[];

test.each(SERVERS.flatMap(([era, serve]) => [401, 403].map((status) => ({ era, serve, status }))))(
  "a refusal of access with HTTP $status is one when it comes as an error of the protocol, too, from a $era server",
  async ({ serve, status }) => {
    const server = await startFake(
      serve({
        "tools/call": (reply) => {
          reply.response.setHeader("www-authenticate", 'Bearer scope="tools"');
          reply.error(-32001, "Not allowed", { status });
        },
      }),
    );

    const failure = await failureOf(openClient(server.url).callTool("echo"));

    expect(failure).toMatchObject({
      code: "unauthorized",
      cause: { status, challenge: 'Bearer scope="tools"', body: "Not allowed" },
    });
  },
);

test.each([
  [401, "unauthorized"],
  [403, "unauthorized"],
  [429, "http_status"],
  [503, "http_status"],
])(
  "a legacy server that refuses the handshake with HTTP %i and an error is told apart from one that cannot speak",
  async (status, code) => {
    const server = await startFake((reply) => {
      reply.response.setHeader("retry-after", "3");
      reply.error(-32000, "Not now", { status });
    });

    const failure = await failureOf(openClient({ url: server.url, era: "legacy" }).connect());

    expect(failure).toMatchObject({ code, cause: { status, retryAfter: "3", body: "Not now" } });
    expect(server.methods()).toEqual(["initialize"]);
  },
);

test("an error of the protocol stays one with any other status", async () => {
  const server = await startFake(
    serveModern({ "tools/call": (reply) => reply.error(-32001, "Not allowed", { status: 400 }) }),
  );

  expect(await failureOf(openClient(server.url).callTool("echo"))).toMatchObject({
    name: "JsonRpcError",
    code: -32001,
  });
});
