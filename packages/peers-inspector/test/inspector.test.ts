import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { INSPECTOR_FIXTURES, MORTISE_SERVERS, type RunningServer, startServer } from "@mortise/peers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runInspector } from "./inspector.js";

const TOOL_FAILED = 5;

for (const server of MORTISE_SERVERS) {
  describe.each(server.eras)(`the Inspector's command line with ${server.name} over ${server.transport}, %s`, (era) => {
    let running: RunningServer;
    let home: string;

    beforeAll(async () => {
      running = await startServer(server, INSPECTOR_FIXTURES);
      home = await mkdtemp(join(tmpdir(), "peers-"));
    });
    afterAll(async () => {
      await running?.stop();
      await rm(home, { recursive: true, force: true });
    });

    test("lists the tools and finds no fault with their schemas", async () => {
      const { code, output, stderr } = await runInspector(running.target, era, home, [
        "--method",
        "tools/list",
        "--strict",
      ]);

      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const tools = output?.result?.tools as { name: string }[];
      expect(tools.map(({ name }) => name).sort()).toEqual(["cancelled", "count", "fail", "greet", "slow"]);
    });

    test("calls a tool", async () => {
      const call = ["--method", "tools/call", "--tool-name", "greet", "--tool-arg", "name=Ada"];

      const { code, output } = await runInspector(running.target, era, home, call);

      expect(code).toBe(0);
      expect(output?.result).toMatchObject({ structuredContent: { message: "Hello, Ada!" } });
    });

    test("tells a tool's failure from success", async () => {
      const call = ["--method", "tools/call", "--tool-name", "fail", "--tool-arg", "reason=bad luck"];

      const { code, output } = await runInspector(running.target, era, home, call);

      expect(code).toBe(TOOL_FAILED);
      expect(output?.result).toMatchObject({ isError: true });
    });
  });
}
