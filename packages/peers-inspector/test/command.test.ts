import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Era, RunningServer } from "@mortise/peers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runInspector } from "./inspector.js";
import { startCommand } from "./mortise-command.js";

const TOOL_FAILED = 5;
const TRANSPORTS = ["stdio", "http"] as const;
const ERAS: readonly Era[] = ["modern", "legacy"];

describe.each(TRANSPORTS.flatMap((transport) => ERAS.map((era) => ({ transport, era }))))(
  "the Inspector's command line with mortise mcp over $transport, $era",
  ({ transport, era }) => {
    let running: RunningServer;
    let home: string;

    beforeAll(async () => {
      running = await startCommand(transport);
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
      const tools = output?.result?.["tools"] as { name: string }[];
      expect(tools.map(({ name }) => name)).toContain("ask_model");
    });

    test("calls a tool, and is told which variables are not set", async () => {
      const call = ["--method", "tools/call", "--tool-name", "ask_model", "--tool-arg", "prompt=Who are you?"];

      const { code, output } = await runInspector(running.target, era, home, call);

      expect(code).toBe(TOOL_FAILED);
      expect(JSON.stringify(output?.result)).toContain("OPENAI_API_KEY");
    });
  },
);
