import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { COMMAND, createFolder, runCommand } from "../command-process.js";

test("mortise doctor checks the server of this package, started as assistants do", async () => {
  const words = ["doctor", "--json", "--", process.execPath, COMMAND, "mcp", "--log-level", "silent"];

  const { code, stdout } = await runCommand(words);

  const diagnosis = JSON.parse(stdout);
  expect(code).toBe(0);
  expect(diagnosis).toMatchObject({
    ok: true,
    server: { era: "modern", transport: "stdio", serverInfo: { name: "mortise" } },
  });
  expect(diagnosis.server.tools).toContain("ask_model");
});

test("mortise doctor looks at this machine, and shows no key", async () => {
  const { code, stdout } = await runCommand(["doctor"], { env: { DEEPSEEK_API_KEY: "secret-value" } });

  expect(code).toBe(0);
  expect(stdout).toContain("DeepSeek");
  expect(stdout).not.toContain("secret-value");
});

test("mortise doctor ends with 1 when something is wrong, and says what", async () => {
  const { code, stdout } = await runCommand(["doctor", "--", "no-such-command-here"]);

  expect(code).toBe(1);
  expect(stdout).toContain("First thing to mend");
});

test("a placeholder without a value ends with 2 before anything is sent", async () => {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo; // a server on a port has one
  const header = `Authorization: Bearer \${NO_SUCH_TOKEN}`;

  const { code, stderr } = await runCommand(["doctor", `http://127.0.0.1:${port}`, "--header", header]);

  expect({ code, requests }).toEqual({ code: 2, requests: 0 });
  expect(stderr).toContain("NO_SUCH_TOKEN");
});

test.each([[["doctor", "localhost:3210"]], [["doctor", "--timeout", "soon"]], [["doctor", "--header", "A: b"]]])(
  "ends with 2 for %j",
  async (args) => {
    expect((await runCommand(args, { cwd: createFolder() })).code).toBe(2);
  },
);
