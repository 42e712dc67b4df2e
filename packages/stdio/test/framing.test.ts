import { expect, test } from "vitest";
import { call, modern, startServer, textOf } from "./stdio-process.js";

const WIDE = "Größe 東京 🙂 é";

test("carries separators other than the newline as data, both ways", async () => {
  const server = startServer();
  const text = "a\u2028b\u2029c\u0085d\u000be\u000cf\rg";

  const answer = await server.ask(call(1, "echo", { text }));

  expect(textOf(answer)).toBe(text);
  expect(server.lines).toHaveLength(1);
});

test("rejoins characters that arrive byte by byte", async () => {
  const server = startServer();

  for (const byte of Buffer.from(`${JSON.stringify(call(1, "echo", { text: WIDE }))}\n`)) {
    server.write(Uint8Array.of(byte));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const answer = await server.find(({ id }) => id === 1);

  expect(textOf(answer)).toBe(WIDE);
});

test.each([
  ["inside a character of four bytes", "🙂", 2],
  ["inside an escape", "\\ud83d\\ude42", 4],
])("rejoins a message that is cut %s", async (_where, character, offset) => {
  const server = startServer();
  const line = JSON.stringify(call(1, "echo", { text: "@" })).replace("@", character);
  const bytes = Buffer.from(`${line}\n`);
  const cut = Buffer.from(line.slice(0, line.indexOf(character))).length + offset;

  server.write(bytes.subarray(0, cut));
  await new Promise((resolve) => setTimeout(resolve, 50));
  server.write(bytes.subarray(cut));
  const answer = await server.find(({ id }) => id === 1);

  expect(textOf(answer)).toBe("🙂");
});

test("reads a peer that ends lines with CRLF, starts with a byte-order mark and leaves lines blank", async () => {
  const server = startServer();

  server.write(
    `\ufeff${JSON.stringify(call(1, "echo", { text: "one" }))}\r\n\r\n\n  \n${JSON.stringify(modern(2, "tools/list"))}\r\n`,
  );
  const answers = await Promise.all([1, 2].map((wanted) => server.find(({ id }) => id === wanted)));

  expect(answers.every(({ result }) => result !== undefined)).toBe(true);
  expect(server.lines).toHaveLength(2);
});

test("delivers a last line that has no line end", async () => {
  const server = startServer();

  server.child.stdin.end(JSON.stringify(call(1, "echo", { text: "last" })));

  await expect(server.exit).resolves.toEqual({ code: 0, signal: null });
  expect(server.messages().map(textOf)).toEqual(["last"]);
});

test.each([
  ["is not JSON", "{nonsense", -32700],
  ["is JSON twice", `${JSON.stringify(modern(7, "tools/list"))} {}`, -32700],
  ["is not UTF-8", Uint8Array.of(0x22, 0xff, 0x22), -32700],
  ["is UTF-16", Buffer.from('{"jsonrpc":"2.0"}', "utf16le"), -32700],
  ["is no object", '"x"', -32600],
  ["is null", "null", -32600],
  ["is an empty object", "{}", -32600],
  ["is an empty batch", "[]", -32600],
  ["has another version", '{"jsonrpc":"1.0","method":"tools/list"}', -32600],
])("answers a line that %s without an id, and goes on", async (_what, line, code) => {
  const server = startServer();

  server.write(line);
  server.write("\n");
  const refusal = await server.find(({ error }) => error !== undefined);
  const next = await server.ask(call(2, "echo", { text: "still here" }));

  expect(refusal.error?.code).toBe(code);
  expect(refusal).not.toHaveProperty("id");
  expect(textOf(next)).toBe("still here");
});

test.each([
  ["a null id", { jsonrpc: "2.0", id: null, method: "tools/list" }, undefined],
  ["another version", { jsonrpc: "1.0", id: 5, method: "tools/list" }, 5],
  ["a method that is a number", { jsonrpc: "2.0", id: 5, method: 1 }, 5],
  ["an empty method", { jsonrpc: "2.0", id: 5, method: "" }, 5],
  ["params that are an array", { jsonrpc: "2.0", id: 5, method: "tools/list", params: [] }, 5],
  ["both a method and a result", { jsonrpc: "2.0", id: 5, method: "tools/list", result: {} }, 5],
])("refuses a request with %s under the id it can read", async (_what, message, id) => {
  const server = startServer();

  server.send(message);
  const refusal = await server.find(({ error }) => error !== undefined);

  expect(refusal.error?.code).toBe(-32600);
  expect(refusal.id).toBe(id);
});

test("reports malformed lines on stderr, one short line each", async () => {
  const server = startServer();

  server.write("{nonsense\n");
  await server.find(({ error }) => error !== undefined);
  server.child.stdin.end();
  await server.exit;

  expect(server.stderr()).toBe("[mortise] A message is not JSON\nleft by itself\n");
});

test("serves 0 and the empty string as ids", async () => {
  const server = startServer();

  const [zero, empty] = [
    await server.ask(call(0, "echo", { text: "0" })),
    await server.ask(call("", "echo", { text: "e" })),
  ];

  expect([textOf(zero), textOf(empty)]).toEqual(["0", "e"]);
});
