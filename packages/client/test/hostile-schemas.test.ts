import { expect, test } from "vitest";
import { startFake } from "./fake-http.js";
import { ECHO_TOOL, serveModern } from "./modern-server.js";
import { collectProblems, openClient } from "./open-client.js";

function nest(levels: number): object {
  let schema: object = { type: "string" };
  for (let level = 0; level < levels; level += 1) schema = { type: "object", properties: { a: schema } };
  return schema;
}

/** Tools whose schemas name addresses, or are made to cost time or memory. */
function createTools(address: string): readonly { readonly name: string }[] {
  const object = { type: "object" };
  const branches = Array.from({ length: 100_000 }, () => object);
  return [
    { name: "reference", inputSchema: { ...object, $ref: `${address}/schema.json` } },
    { name: "dialect", inputSchema: { ...object, $schema: `${address}/meta` } },
    { name: "base", inputSchema: { ...object, $id: `${address}/`, properties: { a: { $ref: "other.json" } } } },
    { name: "dynamic", inputSchema: { ...object, $dynamicRef: `${address}/schema.json` } },
    { name: "file", inputSchema: object, outputSchema: { $ref: "file:///etc/passwd" } },
    { name: "deep", inputSchema: nest(1_000), outputSchema: nest(1_000) },
    { name: "wide", inputSchema: { ...object, anyOf: branches } },
    { name: "slow", inputSchema: { ...object, properties: { a: { type: "string", pattern: "^(a+)+$" } } } },
  ].map((tool) => ({ ...ECHO_TOOL, ...tool }));
}

test("hostile schemas are neither followed nor allowed to stop the tools beside them", async () => {
  const { problems, onError } = collectProblems();
  const decoy = await startFake((reply) => reply.json({ type: "object" }));
  const tools = [...createTools(`http://127.0.0.1:${decoy.port}`), ECHO_TOOL];
  const fake = await startFake(serveModern({}, tools));
  const client = openClient({ url: fake.url, onError });
  await client.connect();

  const texts = await Promise.all(
    client.getToolNames().map(async (name) => (await client.callTool(name, { text: `${"a".repeat(40)}!` })).text),
  );

  expect(client.getToolNames()).toEqual(tools.map(({ name }) => name).filter((name) => name !== "wide"));
  expect(new Set(texts)).toEqual(new Set([`${"a".repeat(40)}!`]));
  expect(problems[0]).toMatchObject({ code: "schema_too_large" });
  expect(problems[0]?.message).toContain("wide");
  // Output schemas are read when there is output to check; these cannot be used.
  const unused = problems.slice(1).map((problem) => /tool "(\w+)"/.exec(problem.message)?.[1]);
  expect(unused.sort()).toEqual(["deep", "file"]);
  expect(decoy.log).toEqual([]);
});
