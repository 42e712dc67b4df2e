import { expect, test } from "vitest";
import { createBatchArguments, findInterpreter } from "../src/batch-command.js";
import { expandVariables, outsideQuotes, parseArguments } from "./windows-shell.js";

const SCRIPT = "C:\\Program Files\\t\\run.cmd";
const VARIABLES = { PATH: "C:\\Windows", CD: "C:\\work", A: "injected" };

/** What the script's program receives: the interpreter takes the outer quotes off, expands variables, and hands the rest on. */
function receive(args: readonly string[]): { readonly argv: string[]; readonly acted: string } {
  const line = createBatchArguments(SCRIPT, args).at(-1) ?? "";
  const expanded = expandVariables(line.slice(1, -1), VARIABLES);
  return { argv: parseArguments(expanded), acted: outsideQuotes(expanded) };
}

test.each([
  [["plain", "a b", "x&calc", "%PATH%", "c:\\end\\", '"q"', "^caret", "!bang!", ""]],
  [["%", "%%", "%A", "A%", "%A%%A%", "100%", "%A:~0,3%", "%CD%"]],
  [['"', '""', '\\"', '\\\\"', 'a\\"b', '"&calc&"', '" & calc & "', "\\", "\\\\"]],
  [["|", "<", ">", "&&", "(x)", "@", "~", ",", ";", "=", "a\tb", "ü 東京 🙂"]],
  [["--flag=a b", '{"json":"x y","n":[1,2]}', "it's", "$HOME", "`id`"]],
])("carries %j unharmed", (args) => {
  const { argv, acted } = receive(args);

  expect(argv).toEqual([SCRIPT, ...args]);
  expect(acted.trim()).toBe("");
});

test.each(["a\nb", "a\rb", "a\0b"])("refuses %j, which the interpreter cannot carry", (argument) => {
  expect(() => createBatchArguments(SCRIPT, [argument])).toThrow(expect.objectContaining({ code: "invalid_options" }));
});

test("switches off start-up commands and delayed expansion", () => {
  expect(createBatchArguments(SCRIPT, [])).toEqual(["/d", "/e:on", "/v:off", "/s", "/c", `""${SCRIPT}""`]);
});

test("takes the interpreter from the environment, whatever the case of its name", () => {
  expect(findInterpreter({ ComSpec: "D:\\cmd.exe" })).toBe("D:\\cmd.exe");
});

test("falls back to the interpreter's usual place", () => {
  expect(findInterpreter({ systemroot: "D:\\Windows" })).toBe("D:\\Windows\\System32\\cmd.exe");
});
