import { describe, expect, test } from "vitest";
import {
  describeType,
  invalidParams,
  isJsonRpcError,
  JsonRpcError,
  MCPTimeoutError,
  MortiseError,
  toError,
} from "../src/errors.js";
import { Refusal } from "../src/refusal.js";
import { toWireError } from "../src/wire-error.js";

describe("errors", () => {
  test("keep their code, data and cause", () => {
    const cause = new Error("below");

    expect(new MortiseError("closed", "x", { cause })).toMatchObject({ name: "MortiseError", code: "closed", cause });
    expect(new JsonRpcError(-1, "x", { a: 1 }, { cause })).toMatchObject({
      name: "JsonRpcError",
      code: -1,
      data: { a: 1 },
      cause,
    });
    expect(new MCPTimeoutError("x", { timeoutMs: 5 })).toMatchObject({ name: "MCPTimeoutError", timeoutMs: 5 });
  });

  test("to be sent are known across copies of the package", () => {
    expect(isJsonRpcError(new JsonRpcError(1, "x"))).toBe(true);
    expect(isJsonRpcError(Object.assign(new Error("x"), { name: "JsonRpcError", code: 7 }))).toBe(true);
    expect(isJsonRpcError(Object.assign(new Error("x"), { code: 7 }))).toBe(false);
    expect(isJsonRpcError({ name: "JsonRpcError", code: 7 })).toBe(false);
  });

  test.each([Number.NaN, 1.5, Number.POSITIVE_INFINITY, "-32000", undefined])(
    "cannot be made with %s for an error number",
    (code) => {
      expect(() => new JsonRpcError(code as number, "x")).toThrow(TypeError);
    },
  );

  test("never show the value that was wrong", () => {
    expect(invalidParams("params.name", "a string", "secret-token").message).not.toContain("secret");
  });

  for (const [value, name] of [
    [null, "null"],
    [[], "an array"],
    [undefined, "nothing"],
    [{}, "an object"],
    [1, "a number"],
    ["x", "a string"],
  ] as const) {
    test(`describe ${JSON.stringify(value)} as ${name}`, () => {
      expect(describeType(value)).toBe(name);
    });
  }

  test("are internal errors for a peer, unless the protocol has a word for them", () => {
    expect(toWireError("unsafe_pattern")).toEqual({ rpc: -32603, http: 500 });
    expect(toWireError("body_too_large")).toEqual({ rpc: -32600, http: 413 });
    expect(toWireError("closed")).toEqual({ rpc: -32603, http: 503 });
  });
});

describe("whatever was thrown", () => {
  test("becomes an error, unless it is one", () => {
    const error = new RangeError("x");

    expect(toError(error)).toBe(error);
    expect(toError("gone")).toEqual(new Error("gone"));
    expect(toError(undefined)).toEqual(new Error("undefined"));
  });
});

describe("a refusal", () => {
  test("takes its number and status from the table", () => {
    expect(new Refusal("method_not_found", "x")).toMatchObject({ error: { code: -32601, message: "x" }, status: 404 });
    expect(new Refusal("header_mismatch", "x")).toMatchObject({ error: { code: -32020 }, status: 400 });
  });

  test("has data only where it was given", () => {
    expect(new Refusal("unsupported_version", "x").error).not.toHaveProperty("data");
    expect(new Refusal("unsupported_version", "x", { supported: [] }).error.data).toEqual({ supported: [] });
  });
});
