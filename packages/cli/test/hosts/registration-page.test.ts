import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { previewServer } from "../../src/hosts/add-server.js";
import { HOST_IDS } from "../../src/hosts/host-table.js";
import type { Machine } from "../../src/hosts/machine.js";

const PAGE = readFileSync(new URL("../../../../docs/tools/registration.md", import.meta.url), "utf8");
const BLOCKS = [...PAGE.matchAll(/^```json ([\w-]+)( http)?\n([\s\S]*?)^```$/gm)].map(
  ([, host = "", http, text = ""]) => ({ host, http: http !== undefined, text }),
);
const MACHINE: Machine = { platform: "linux", home: "/home/ada", cwd: "/home/ada/project", env: {} };

test("the page about registration shows every assistant", () => {
  expect(BLOCKS.filter(({ http }) => !http).map(({ host }) => host)).toEqual(HOST_IDS);
});

test.each(BLOCKS)("the page about registration shows what is written for $host", ({ host, http, text }) => {
  const env = http ? [] : ["OPENAI_API_KEY"];
  const address = http ? { http: "http://127.0.0.1:3210/mcp" } : {};

  const preview = previewServer({ host, env, ...address, name: "mortise", project: false, force: false }, MACHINE);

  expect(JSON.parse(text)).toEqual(JSON.parse(preview.text));
});
