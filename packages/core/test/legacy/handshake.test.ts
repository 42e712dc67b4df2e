import { describe, expect, test } from "vitest";
import { parseInitialize } from "../../src/legacy/handshake.js";

describe("parseInitialize", () => {
  test("reads version, capabilities and client", () => {
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: { roots: {} },
      clientInfo: { name: "a", version: "1" },
    };

    expect(parseInitialize(params)).toEqual(params);
  });

  test("takes missing capabilities and client information", () => {
    expect(parseInitialize({ protocolVersion: "x" })).toEqual({
      protocolVersion: "x",
      capabilities: {},
      clientInfo: undefined,
    });
  });

  for (const params of [
    undefined,
    {},
    { protocolVersion: 1 },
    { protocolVersion: "x", capabilities: null },
    { protocolVersion: "x", capabilities: [] },
    { protocolVersion: "x", clientInfo: {} },
    { protocolVersion: "x", clientInfo: null },
  ]) {
    test(`refuses ${JSON.stringify(params)}`, () => {
      expect(() => parseInitialize(params)).toThrow(expect.objectContaining({ name: "JsonRpcError", code: -32602 }));
    });
  }
});
