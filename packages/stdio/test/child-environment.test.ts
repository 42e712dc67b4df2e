import { expect, test } from "vitest";
import { createChildEnvironment } from "../src/child-environment.js";

const WINDOWS_PARENT = {
  Path: "C:\\Windows",
  PathExt: ".COM;.EXE;.BAT;.CMD",
  ComSpec: "C:\\Windows\\System32\\cmd.exe",
  SystemRoot: "C:\\Windows",
  ProgramData: "C:\\ProgramData",
  windir: "C:\\Windows",
  GITHUB_TOKEN: "secret",
};

test("inherits what programs need and nothing else", () => {
  const parent = { PATH: "/bin", HOME: "/home/a", LANG: "C.UTF-8", GITHUB_TOKEN: "secret", path: "/elsewhere" };

  const environment = createChildEnvironment({ platform: "linux", parent });

  expect({ ...environment }).toEqual({ PATH: "/bin", HOME: "/home/a", LANG: "C.UTF-8" });
});

test("lays explicit variables over inherited ones", () => {
  const environment = createChildEnvironment({
    platform: "linux",
    parent: { PATH: "/bin", HOME: "/home/a", GITHUB_TOKEN: "secret" },
    explicit: { PATH: "/opt/bin", API_TOKEN: "t", HOME: undefined },
  });

  expect({ ...environment }).toEqual({ PATH: "/opt/bin", API_TOKEN: "t" });
});

test("does not inherit functions that a shell exported", () => {
  const environment = createChildEnvironment({ platform: "linux", parent: { TERM: "() { :; }" } });

  expect({ ...environment }).toEqual({});
});

test("treats a variable named __proto__ as a variable", () => {
  const explicit = JSON.parse('{"__proto__":"x"}') as Record<string, string>; // a literal would set the prototype

  const environment = createChildEnvironment({ platform: "linux", parent: {}, explicit });

  expect(Object.entries(environment)).toEqual([["__proto__", "x"]]);
});

test("finds what Windows needs whatever the case of the names", () => {
  const environment = createChildEnvironment({ platform: "win32", parent: WINDOWS_PARENT });

  const { GITHUB_TOKEN, ...expected } = WINDOWS_PARENT;
  expect({ ...environment }).toEqual(expected);
});

test("keeps one of two names that Windows takes for the same", () => {
  const environment = createChildEnvironment({
    platform: "win32",
    parent: { Path: "C:\\one", PATH: "C:\\two" },
    explicit: { path: "C:\\three" },
  });

  expect({ ...environment }).toEqual({ path: "C:\\three" });
});

test("takes a variable away on Windows whatever its case", () => {
  const environment = createChildEnvironment({
    platform: "win32",
    parent: { Path: "C:\\one" },
    explicit: { PATH: undefined },
  });

  expect({ ...environment }).toEqual({});
});
