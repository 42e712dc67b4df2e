import { expect, test } from "vitest";
import { checkMachine } from "../../src/doctor/check-machine.js";
import { failed, ok, warning } from "../../src/doctor/finding.js";
import { writeDiagnosis, writeJson } from "../../src/doctor/write-diagnosis.js";

const BAD = {
  ok: false,
  sections: [
    { title: "A", findings: [ok("fine"), warning("odd", "look at it")] },
    { title: "B", findings: [failed("broken\u001b[2J", "mend it", ["it said\u0007"]), failed("worse")] },
  ],
  server: undefined,
};

test("a diagnosis has a line for each finding, with what to do below, and ends with what to mend first", () => {
  expect(writeDiagnosis(BAD, { colors: false })).toBe(
    [
      "A",
      "  ok    fine",
      "  look  odd",
      "        look at it",
      "",
      "B",
      "  FAIL  broken [2J",
      "        | it said ",
      "        mend it",
      "  FAIL  worse",
      "",
      "First thing to mend: broken [2J",
      "",
    ].join("\n"),
  );
});

test("what a server says neither moves the cursor nor turns the text around", () => {
  const text = writeDiagnosis(
    {
      ok: true,
      sections: [{ title: "A", findings: [{ state: "ok", text: "a\u001b[2J\u009b2J\u202eb" }] }],
      server: undefined,
    },
    { colors: false },
  );

  expect(text).toContain("a [2J 2J b");
});

test("a diagnosis for programs does not steer a terminal either, and says the same", () => {
  const text = "a\u001b[2J\u009b2Jb";
  const written = writeJson({
    ok: true,
    sections: [{ title: "A", findings: [{ state: "ok", text }] }],
    server: undefined,
  });

  expect(written).not.toContain("\u001b");
  expect(written).not.toContain("\u009b");
  expect(JSON.parse(written).sections[0].findings[0].text).toBe(text);
});

test("a diagnosis is coloured only where that is wanted", () => {
  expect(writeDiagnosis(BAD, { colors: true })).toContain("\u001b[31mFAIL\u001b[39m");
});

test("a diagnosis for programs is one JSON value", () => {
  expect(JSON.parse(writeJson(BAD))).toMatchObject({
    ok: false,
    server: null,
    sections: [{ title: "A" }, { findings: [{ state: "failed", hint: "mend it" }, { text: "worse" }] }],
  });
});

test.each([
  ["20.18.3", "failed"],
  ["18.20.0", "failed"],
  ["20.19.0", "ok"],
  ["24.0.0", "ok"],
])("Node %s is %s", (version, state) => {
  expect(checkMachine(version, "1.0.0").findings[0]?.state).toBe(state);
});
