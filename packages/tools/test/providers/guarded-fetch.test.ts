import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createGuardedFetch } from "../../src/providers/guarded-fetch.js";
import { ToolFailure } from "../../src/tool-failure.js";

let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === "/moved") response.writeHead(307, { location: "/" }).end();
    else if (request.url === "/strange") response.writeHead(999).end("No");
    else response.end("0123456789");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // listens on a port
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test("an answer may be as long as it may", async () => {
  const response = await createGuardedFetch(10)(url);

  expect(await response.text()).toBe("0123456789");
});

test("an answer that is longer ends with a failure", async () => {
  const response = await createGuardedFetch(9)(url);

  await expect(response.text()).rejects.toBeInstanceOf(ToolFailure);
});

test("a redirect is given back and not followed", async () => {
  const response = await createGuardedFetch()(`${url}/moved`);

  expect(response.status).toBe(307);
});

test("a status beyond those of HTTP is a failure in words", async () => {
  await expect(createGuardedFetch()(`${url}/strange`)).rejects.toBeInstanceOf(ToolFailure);
});
