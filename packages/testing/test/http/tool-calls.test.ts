import type { MCPServer } from "@mortise/server";
import { describe, expect, test } from "vitest";
import { ADAPTERS } from "./adapters.js";
import { createFixture, legacy, modern } from "./fixture.js";

/** Calls a tool in both eras, and says what came of it: the status, and the error's code or that the tool failed. */
const ERAS = [
  { era: "modern", build: modern },
  { era: "legacy", build: legacy },
] as const;

function addTools(server: MCPServer): void {
  const a = { type: "object", properties: { a: { type: "string" } } } as const;
  server.tool("optional", { input: a }, (args) => JSON.stringify(args));
  server.tool("required", { input: { ...a, required: ["a"] } }, () => "ran");
  server.tool("gone", {}, () => "ran").disable();
  server.tool("text_thrown", {}, () => {
    // biome-ignore lint/style/useThrowOnlyError: handlers are written by others, who may throw anything
    throw "just text";
  });
  server.tool("cycle", {}, () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    return cycle;
  });
  server.tool("cycle_later", {}, async () => ({ big: 1n }));
}

const OUTCOMES: readonly { title: string; params: Record<string, unknown>; modern: string; legacy: string }[] = [
  { title: "no arguments where none are needed", params: { name: "optional" }, modern: "200 ok", legacy: "200 ok" },
  { title: "empty arguments", params: { name: "optional", arguments: {} }, modern: "200 ok", legacy: "200 ok" },
  { title: "an argument missing", params: { name: "required" }, modern: "200 isError", legacy: "200 isError" },
  {
    title: "an argument of the wrong type",
    params: { name: "required", arguments: { a: 1 } },
    modern: "200 isError",
    legacy: "200 isError",
  },
  {
    title: "null for arguments",
    params: { name: "optional", arguments: null },
    modern: "400 -32602",
    legacy: "200 -32602",
  },
  {
    title: "an array for arguments",
    params: { name: "optional", arguments: [] },
    modern: "400 -32602",
    legacy: "200 -32602",
  },
  {
    title: "text for arguments",
    params: { name: "optional", arguments: "a" },
    modern: "400 -32602",
    legacy: "200 -32602",
  },
  { title: "no name", params: {}, modern: "400 -32602", legacy: "200 -32602" },
  { title: "a number for a name", params: { name: 5 }, modern: "400 -32602", legacy: "200 -32602" },
  { title: "an unknown tool", params: { name: "nope" }, modern: "200 -32602", legacy: "200 -32602" },
  { title: "a disabled tool", params: { name: "gone" }, modern: "200 -32602", legacy: "200 -32602" },
  { title: "a tool that throws", params: { name: "crash" }, modern: "200 isError", legacy: "200 isError" },
  {
    title: "a tool that throws text",
    params: { name: "text_thrown" },
    modern: "200 isError",
    legacy: "200 isError",
  },
  {
    title: "a tool whose result JSON cannot hold",
    params: { name: "cycle" },
    modern: "200 -32603",
    legacy: "200 -32603",
  },
  {
    title: "a tool whose late result JSON cannot hold",
    params: { name: "cycle_later" },
    modern: "200 -32603",
    legacy: "200 -32603",
  },
];

describe.each(ADAPTERS)("$name", (adapter) => {
  describe.each(ERAS)("on $era", ({ era, build }) => {
    test.each(OUTCOMES)("answers a call with $title, and the next one", async ({ params, [era]: expected }) => {
      const { server } = createFixture();
      addTools(server);
      const mounted = await adapter.mount(server);

      const answer = await mounted.send(build("tools/call", params));
      const next = await mounted.send(build("tools/list"));

      await mounted.close();
      const { result, error } = JSON.parse(answer.body);
      const outcome = error?.code ?? (result.isError === true ? "isError" : "ok");
      expect(`${answer.status} ${outcome}`).toBe(expected);
      expect(answer.body).not.toMatch(/\.ts|\.js| at /);
      expect(next.status).toBe(200);
    });

    test("takes a cancellation, which reaches no request of others", async () => {
      const mounted = await adapter.mount(createFixture().server);
      const call = mounted.send(build("tools/call", { name: "later", arguments: { ms: 60 } }, { id: "same" }));

      const request = build("notifications/cancelled", { requestId: "same" });
      const notice = { ...request, body: request.body.replace('"id":1,', "") };
      const taken = await mounted.send(notice);
      const { status, body } = await call;

      await mounted.close();
      expect([taken.status, taken.body]).toEqual([202, ""]);
      expect([status, JSON.parse(body).result.content[0].text]).toEqual([200, "later"]);
    });
  });

  test("takes the notice that ends a legacy handshake", async () => {
    const mounted = await adapter.mount(createFixture().server);
    const request = legacy("notifications/initialized");

    const answer = await mounted.send({ ...request, body: request.body.replace('"id":1,', "") });

    await mounted.close();
    expect([answer.status, answer.body]).toEqual([202, ""]);
  });
});
