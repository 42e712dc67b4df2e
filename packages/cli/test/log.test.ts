import { expect, test } from "vitest";
import { createLog, LEVELS } from "../src/log.js";

test.each([
  { level: "silent", told: [] },
  { level: "error", told: ["error"] },
  { level: "warn", told: ["error", "warn"] },
  { level: "info", told: ["error", "warn", "info"] },
  { level: "debug", told: ["error", "warn", "info", "debug"] },
] as const)("at $level it tells what matters as much, and no less", ({ level, told }) => {
  const lines: string[] = [];
  const log = createLog(level, (text) => lines.push(text));

  for (const of of LEVELS) if (of !== "silent") log[of](of);

  expect(lines).toEqual(told.map((of) => `[mortise] ${of}\n`));
});

test("hides secrets, but none so short that it turns up by chance", () => {
  const lines: string[] = [];
  const log = createLog("info", (text) => lines.push(text));
  for (const secret of ["secret", "a", undefined]) log.hide(secret);

  log.info("a secret and a secret");

  expect(lines).toEqual(["[mortise] a [hidden] and a [hidden]\n"]);
});
