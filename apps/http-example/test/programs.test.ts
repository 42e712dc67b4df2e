import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { startProgram } from "./example-programs.js";

const DEMO = join(inject("apps"), "http-example", "dist", "demo.js");
const SERVER = join(inject("apps"), "http-example", "dist", "server.js");
const HOSTS = ["claude mcp add", '"mcpServers"', '"servers"'];

test("the demonstration calls every tool in four ways and ends well when it is told to end after the table", async () => {
  const { code, stdout, stderr } = await startProgram(DEMO, { args: ["--once"] }).ended;

  const rows = stdout.split("\n").filter((line) => line.includes("✓ greet, show_content, count, fail, slow"));
  expect(rows.map((row) => row.trim().split(/\s+/).slice(0, 3))).toEqual([
    ["HTTP", "modern", "2026-07-28"],
    ["HTTP", "legacy", "2025-11-25"],
    ["stdio", "modern", "2026-07-28"],
    ["stdio", "legacy", "2025-11-25"],
  ]);
  expect(HOSTS.some((host) => stdout.includes(host))).toBe(false);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test("the demonstration tells how to add the server, and serves until it is interrupted", async () => {
  const demo = startProgram(DEMO);
  await demo.printed(/until Ctrl-C/);

  demo.process.kill("SIGINT");
  const { code, stdout } = await demo.ended;

  expect(HOSTS.every((host) => stdout.includes(host))).toBe(true);
  expect(stdout).toContain(join(inject("apps"), "stdio-example", "dist", "server.js"));
  expect(code).toBe(0);
});

test("the demonstration prints no control characters when its output is no terminal", async () => {
  const { stdout } = await startProgram(DEMO, { args: ["--once"] }).ended;

  const printable = stdout.split("\n").every((line) => [...line].every((character) => character >= " "));
  expect(printable).toBe(true);
});

test("an argument that does not exist is told in one line", async () => {
  const { code, stderr } = await startProgram(DEMO, { args: ["--forever"] }).ended;

  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(code).toBe(1);
});

test.each([
  ["demonstration", DEMO],
  ["server", SERVER],
])("the %s says in one line that its port is taken", async (_name, file) => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo; // a listener on a port has an address of this form

  const { code, stderr } = await startProgram(file, { port: String(port) }).ended;
  other.close();

  expect(stderr).toContain(String(port));
  expect(stderr).toContain("PORT");
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(code).toBe(1);
});

test.each([
  ["demonstration", DEMO],
  ["server", SERVER],
])("the %s says in one line that PORT is no port number", async (_name, file) => {
  const { code, stderr } = await startProgram(file, { port: "http" }).ended;

  expect(stderr).toContain("PORT");
  expect(stderr).toContain('"http"');
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(code).toBe(1);
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "the server ends in order on %s, although a client is connected",
  async (signal) => {
    const server = startProgram(SERVER);
    const [, port] = await server.printed(/:(\d+)\/mcp/);
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("error", () => undefined); // the server may cut a connection that never said anything
    await new Promise<void>((resolve) => socket.once("connect", resolve));

    server.process.kill(signal);
    const { code, stderr } = await server.ended;
    socket.destroy();

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  },
);
