import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Environment, readEnvironment } from "../src/environment.js";
import { createLog } from "../src/log.js";
import { createFolder } from "./command-process.js";

interface Reading {
  readonly variables: Environment;
  readonly logged: string;
}

async function read(file: string | Uint8Array | undefined, env: Environment = {}): Promise<Reading> {
  const folder = createFolder();
  if (file !== undefined) writeFileSync(join(folder, ".env"), file);
  return readFolder(folder, env);
}

async function readFolder(folder: string, env: Environment = {}): Promise<Reading> {
  const lines: string[] = [];
  const log = createLog("debug", (text) => lines.push(text));
  const variables = await readEnvironment({ folder, env, log });
  return { variables, logged: lines.join("") };
}

test("adds what the file says to the real environment", async () => {
  const { variables } = await read("A=file\n", { B: "real" });

  expect({ ...variables }).toEqual({ A: "file", B: "real" });
});

test.each([
  ["little", (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le")],
  ["big", (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le").swap16()],
])("reads a file in UTF-16 with the %s end first, as Windows PowerShell writes it", async (_order, encode) => {
  const { variables } = await read(encode("A=größe\r\n"));

  expect({ ...variables }).toEqual({ A: "größe" });
});

test("lets the real environment win", async () => {
  const { variables } = await read("A=file\n", { A: "real" });

  expect(variables["A"]).toBe("real");
});

test("takes an empty or blank real variable for none", async () => {
  const { variables } = await read("A=file\nB=file\n", { A: "", B: "  " });

  expect({ ...variables }).toEqual({ A: "file", B: "file" });
});

test.each([
  { what: "comments and blank lines", file: "# one\n\nA=1 # two\n", value: "1" },
  { what: "quotes", file: `A="1 # 2"\n`, value: "1 # 2" },
  { what: "values over several lines", file: `A="1\n2"\n`, value: "1\n2" },
  { what: "the word export", file: "export A=1\n", value: "1" },
  { what: "CRLF", file: "A=1\r\nB=2\r\n", value: "1" },
  { what: "a byte order mark", file: "\uFEFFA=1\n", value: "1" },
  { what: "equals signs in values", file: "A=b=c==\n", value: "b=c==" },
])("understands $what", async ({ file, value }) => {
  const { variables } = await read(file);

  expect(variables["A"]).toBe(value);
});

test("leaves process.env alone", async () => {
  await read("MORTISE_TEST_VARIABLE=file\n");

  expect(process.env["MORTISE_TEST_VARIABLE"]).toBeUndefined();
});

test("takes a variable called __proto__ for a variable like any other", async () => {
  const { variables } = await read("__proto__=polluted\n");

  expect(Object.getPrototypeOf(variables)).toBeNull();
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

describe("goes on without the file", () => {
  test("when there is none", async () => {
    expect(await read(undefined, { A: "real" })).toMatchObject({ variables: { A: "real" }, logged: "" });
  });

  test("when a folder has its name", async () => {
    const folder = createFolder();
    mkdirSync(join(folder, ".env"));

    expect(await readFolder(folder, { A: "real" })).toMatchObject({ variables: { A: "real" }, logged: "" });
  });

  test("when it is far too long, and says so", async () => {
    const { variables, logged } = await read(new Uint8Array(1_048_577).fill(0x41), { A: "real" });

    expect({ ...variables }).toEqual({ A: "real" });
    expect(logged).toContain(".env");
  });
});

describe("an address out of the file does not get a key out of the real environment", () => {
  const env = { OPENAI_API_KEY: "sk-real-key" };

  test.each(["https://evil.example/v1", "http://127.0.0.1.evil.example/v1", "nonsense"])("%s", async (address) => {
    const { variables, logged } = await read(`OPENAI_BASE_URL=${address}\n`, env);

    expect(variables["OPENAI_BASE_URL"]).toBeUndefined();
    expect(logged).toContain("OPENAI_BASE_URL");
  });

  test("and not when the file names a key as well, since the real one wins", async () => {
    const { variables } = await read("OPENAI_API_KEY=sk-file\nOPENAI_BASE_URL=https://evil.example/v1\n", env);

    expect({ ...variables }).toEqual(env);
  });

  test.each(["http://127.0.0.1:8080/v1", "http://localhost:8080/v1", "http://[::1]:8080/v1"])(
    "but it does on this machine: %s",
    async (address) => {
      const { variables } = await read(`OPENAI_BASE_URL=${address}\n`, env);

      expect(variables["OPENAI_BASE_URL"]).toBe(address);
    },
  );

  test("but it does get a key that stands beside it", async () => {
    const { variables } = await read("OPENAI_API_KEY=sk-file\nOPENAI_BASE_URL=https://gateway.example/v1\n");

    expect(variables["OPENAI_BASE_URL"]).toBe("https://gateway.example/v1");
  });
});

test("keeps keys and tokens out of the log from then on", async () => {
  const lines: string[] = [];
  const log = createLog("info", (text) => lines.push(text));
  const env = { OPENAI_API_KEY: "sk-real-key", MORTISE_MCP_TOKEN: "a-real-token", OPENAI_MODEL: "some-model" };
  await readEnvironment({ folder: createFolder(), env, log });

  log.info("sk-real-key a-real-token some-model");

  expect(lines).toEqual(["[mortise] [hidden] [hidden] some-model\n"]);
});
