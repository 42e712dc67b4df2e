import { describe, expect, test } from "vitest";
import { LOG_LEVELS } from "../../src/log-level.js";
import {
  CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
  createEnvelope,
  LOG_LEVEL_KEY,
  readEnvelope,
  VERSION_KEY,
} from "../../src/modern/envelope.js";
import { Refusal } from "../../src/refusal.js";

const META = { [VERSION_KEY]: "2026-07-28", [CAPABILITIES_KEY]: {} };
const CLIENT = { name: "test", version: "1" };

describe("readEnvelope", () => {
  test("reads version and capabilities, without client information", () => {
    expect(readEnvelope({ _meta: META })).toMatchObject({ version: "2026-07-28", capabilities: {} });
    expect(readEnvelope({ _meta: META })).toMatchObject({ clientInfo: undefined, logLevel: undefined });
  });

  test("keeps the other members of the metadata", () => {
    expect(readEnvelope({ _meta: { ...META, progressToken: 0 } })).toMatchObject({ meta: { progressToken: 0 } });
  });

  test("takes a version that is not known, since that is judged later", () => {
    expect(readEnvelope({ _meta: { ...META, [VERSION_KEY]: "2030-01-01" } })).toMatchObject({ version: "2030-01-01" });
  });

  for (const [name, params] of [
    ["no params", undefined],
    ["no metadata", {}],
    ["metadata that is not an object", { _meta: [] }],
    ["no version", { _meta: { [CAPABILITIES_KEY]: {} } }],
    ["a version that is not a string", { _meta: { ...META, [VERSION_KEY]: 20260728 } }],
    ["no capabilities", { _meta: { [VERSION_KEY]: "2026-07-28" } }],
    ["capabilities that are null", { _meta: { ...META, [CAPABILITIES_KEY]: null } }],
    ["client information without a version", { _meta: { ...META, [CLIENT_INFO_KEY]: { name: "x" } } }],
    ["client information that is null", { _meta: { ...META, [CLIENT_INFO_KEY]: null } }],
    ["a log level that does not exist", { _meta: { ...META, [LOG_LEVEL_KEY]: "loud" } }],
  ] as const) {
    test(`refuses ${name}`, () => {
      const envelope = readEnvelope(params);

      expect(envelope).toBeInstanceOf(Refusal);
      expect(envelope).toMatchObject({ code: "invalid_params", error: { code: -32602 }, status: 400 });
    });
  }

  for (const logLevel of LOG_LEVELS) {
    test(`reads the log level ${logLevel}`, () => {
      expect(readEnvelope({ _meta: { ...META, [LOG_LEVEL_KEY]: logLevel } })).toMatchObject({ logLevel });
    });
  }
});

describe("createEnvelope", () => {
  test("is read back as it was written", () => {
    const envelope = {
      version: "2026-07-28",
      capabilities: { roots: {} },
      clientInfo: CLIENT,
      logLevel: "info",
    } as const;

    expect(readEnvelope({ _meta: createEnvelope(envelope) })).toMatchObject(envelope);
  });

  test("leaves out what is not given", () => {
    expect(Object.keys(createEnvelope({ version: "2026-07-28", capabilities: {} }))).toEqual([
      VERSION_KEY,
      CAPABILITIES_KEY,
    ]);
  });
});
