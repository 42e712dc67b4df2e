import { JsonRpcError, MCPServer } from "@mortise/server";
import { expect, onTestFinished, test } from "vitest";
import { ADAPTERS } from "../http/adapters.js";
import { createChance, createMessage } from "./random-messages.js";
import { directly, onPipe, overHttp } from "./ways.js";

const SEED = 20_260_728;
const CODES = new Set([-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022, -32002, 7]);

function createServer(): MCPServer {
  const server = new MCPServer({ name: "random", version: "1", pageSize: 3 });
  const input = { type: "object" } as const;
  server.tool("echo", { input }, (args) => JSON.stringify(args));
  server.tool("later", { input }, async (args) => await Promise.resolve(args));
  server.tool("count", { input }, async (_, context) => {
    for (let step = 1; step <= 3; step += 1) await context.progress(step);
    return [{ type: "audio", data: "", mimeType: "audio/wav" }];
  });
  server.tool(
    "typed",
    { input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] } },
    () => ["typed"],
  );
  server.tool("fail", { input }, () => Promise.reject(new Error("failed")));
  server.tool("throw-rpc", { input }, () => {
    throw new JsonRpcError(7, "as it is", { data: 1 });
  });
  server.tool("unsendable", { input }, () => 1n as never);
  server.tool("asking", { input, asks: ["sample"] }, () => "asked");
  addPrompts(server);
  addResources(server);
  return server;
}

function addPrompts(server: MCPServer): void {
  const input = [{ name: "text", required: true }] as const;
  const complete = { text: async (value: string) => [value, JSON.stringify(value)] };
  server.prompt("echo", { input, complete }, ({ text }) => text);
  server.prompt("later", { visible: () => false }, () => "never");
  server.prompt("count", {}, async () => [{ type: "audio", data: "", mimeType: "audio/wav" } as const]);
  server.prompt("fail", { complete: { text: () => Promise.reject(new Error("failed")) }, input }, () =>
    Promise.reject(new Error("failed")),
  );
  server.prompt("throw-rpc", {}, () => {
    throw new JsonRpcError(7, "as it is", { data: 1 });
  });
  server.prompt("unsendable", {}, () => 1n as never);
}

function addResources(server: MCPServer): void {
  server.resource("x://text", { mimeType: "text/plain" }, ({ uri }) => uri);
  server.resource("x://bytes", {}, async () => ({ contents: [{ blob: new Uint8Array([1, 2, 3]) }], _meta: { a: 1 } }));
  server.resource("x://fail", {}, () => Promise.reject(new Error("failed")));
  server.resource("x://throw-rpc", {}, () => {
    throw new JsonRpcError(7, "as it is");
  });
  server.resource("x://hidden", { visible: () => false }, () => "never");
  const complete = { text: (value: string) => [value] };
  const list = () => [{ uri: "x://1" }, { uri: "x://2" }];
  server.resource("x://{text}{/more*}{?tag*}", { complete, list }, ({ params }) => JSON.stringify(params));
  server.resource("y://{+nothing}", {}, async () => null);
}

/** An answer as it must be on every way: what a way can announce besides is left out. */
function normalize(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer).replaceAll(/\{"listChanged":true(?:,"subscribe":true)?\}/g, "{}"),
    (member, value: unknown) => (member === "message" ? "" : value),
  );
}

function readAnswer(answer: unknown): { readonly id?: unknown; readonly error?: { readonly code: number } } {
  return (answer ?? {}) as { readonly id?: unknown; readonly error?: { readonly code: number } };
}

test("a message gets the same answer without a transport, on a pipe and over HTTP, whatever it is", async () => {
  const chance = createChance(SEED);
  const server = createServer();
  const mounted = await Promise.all(ADAPTERS.map((adapter) => adapter.mount(server)));
  onTestFinished(async () => void (await Promise.all(mounted.map((each) => each.close()))));
  const ways = [onPipe(server), ...mounted.map(overHttp)];
  const seen = new Set<unknown>();
  for (let round = 0; round < 500; round += 1) {
    const message = createMessage(chance);
    const answer = await directly(server)(message);
    const answers = await Promise.all(ways.map((way) => way(message)));
    const about = `round ${round}: ${JSON.stringify(message).slice(0, 1_000)}`;
    for (const other of answers) expect(normalize(other), about).toEqual(normalize(answer));
    const { id, error } = readAnswer(answer);
    if (error !== undefined) expect(CODES, about).toContain(error.code);
    if (error?.code !== -32600 && answer !== null) expect(id, about).toEqual(readAnswer(message).id);
    seen.add(answer === null ? "nothing" : (error?.code ?? "result"));
  }
  // The messages are no test if they all end in the same place.
  expect([...seen]).toEqual(
    expect.arrayContaining(["nothing", "result", 7, -32600, -32601, -32602, -32603, -32021, -32022]),
  );
});
