import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { legacy, modern } from "./fixture.js";

const PROGRAM = `
import { createHttpHandler } from "@mortise/http";
import { MCPServer } from "@mortise/server";
const server = new MCPServer({ name: "isolate", version: "1.0.0" });
server.tool("echo", {}, () => "echoed");
server.tool("count", {}, async (_, context) => {
  for (let step = 1; step <= 2; step += 1) await context.progress(step);
  return "counted";
});
globalThis.handler = createHttpHandler(server);
`;

/** What web standards give, and nothing of Node's: no process, Buffer, timers or require. */
const WEB_STANDARDS = {
  AbortController,
  AbortSignal,
  atob,
  btoa,
  crypto,
  DOMException,
  Headers,
  queueMicrotask,
  ReadableStream,
  Request,
  Response,
  structuredClone,
  TextDecoder,
  TextEncoder,
  Uint8Array,
  URL,
};

let handler: (request: Request) => Promise<Response>;

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: PROGRAM, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: "iife",
    platform: "neutral",
    conditions: ["@mortise/source"],
    target: "es2022",
  });
  const context = createContext({ ...WEB_STANDARDS });
  runInContext(outputFiles[0]?.text ?? "", context);
  handler = context["handler"] as typeof handler; // the program above leaves it there
});

function send({ headers, body }: { headers: Record<string, string>; body: string }): Promise<Response> {
  return handler(new Request("https://mcp.example.com/mcp", { method: "POST", headers, body }));
}

describe("the web handler in a runtime that has web standards alone", () => {
  test("answers both eras", async () => {
    const responses = [
      await send(modern("tools/call", { name: "echo", arguments: {} })),
      await send(legacy("tools/call", { name: "echo", arguments: {} })),
    ];

    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    for (const response of responses) expect(await response.text()).toContain("echoed");
  });

  test("streams events to their end", async () => {
    const response = await send(
      modern("tools/call", { name: "count", arguments: {} }, { meta: { progressToken: "t" } }),
    );

    expect((await response.text()).match(/^data: /gm)).toHaveLength(3);
  });

  test("refuses what is wrong", async () => {
    const { headers, body } = modern("tools/list");

    const responses = [
      await send({ headers, body: "{" }),
      await send({ headers: { ...headers, origin: "https://evil.example" }, body }),
      await handler(new Request("https://mcp.example.com/mcp")),
    ];

    expect(responses.map(({ status }) => status)).toEqual([400, 403, 405]);
  });
});
