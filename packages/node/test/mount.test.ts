import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { NodeExchange } from "../src/node-exchange.js";
import { readTarget } from "../src/request-target.js";

async function readMount(path: string, cut: (request: IncomingMessage) => void): Promise<string> {
  let mount = "";
  const listener = createServer((request, response) => {
    cut(request);
    mount = new NodeExchange(request, response, readTarget(request.url ?? ""), undefined).mount;
    response.end();
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  await (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: "close" } })).text();
  await new Promise((resolve) => listener.close(resolve));
  return mount;
}

test.each([
  { title: "nothing", path: "/sse", cut: {}, mount: "" },
  { title: "nothing, and said so", path: "/sse?a", cut: { originalUrl: "/sse?a" }, mount: "" },
  { title: "a prefix", path: "/api/v1/sse?a", cut: { originalUrl: "/api/v1/sse?a", url: "/sse?a" }, mount: "/api/v1" },
  { title: "something else", path: "/api", cut: { originalUrl: "/api", url: "/" }, mount: "" },
])("what a framework has cut off is known: $title", async ({ path, cut, mount }) => {
  expect(await readMount(path, (request) => void Object.assign(request, cut))).toBe(mount);
});
