import { describe, expect, test } from "vitest";
import {
  classifyMessage,
  createError,
  createNotification,
  createRequest,
  createResult,
  isRequestId,
  readableId,
} from "../src/json-rpc.js";

const REQUEST = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const ERROR = { code: -32601, message: "Method not found" };
const IDS: readonly (readonly [unknown, boolean])[] = [
  [1, true],
  [0, true],
  [-1, true],
  ["", true],
  ["a", true],
  ["1", true],
  [Number.MAX_SAFE_INTEGER, true],
  [Number.MIN_SAFE_INTEGER, true],
  [2 ** 53, false],
  [1.5, false],
  [Number.NaN, false],
  [Number.POSITIVE_INFINITY, false],
  [null, false],
  [undefined, false],
  [true, false],
  [[1], false],
  [{}, false],
];

describe("ids", () => {
  for (const [id, valid] of IDS) {
    const shown = typeof id === "number" ? String(id) : JSON.stringify(id);

    test(`${valid ? "accepts" : "refuses"} ${shown} as an id`, () => {
      expect(isRequestId(id)).toBe(valid);
      expect(classifyMessage({ ...REQUEST, id })).toBe(valid ? "request" : "invalid");
      expect(classifyMessage({ jsonrpc: "2.0", id, result: {} })).toBe(valid ? "response" : "invalid");
      expect(readableId({ id })).toBe(valid ? id : undefined);
    });
  }

  for (const value of [null, undefined, 7, "text", [], [{ id: 1 }], {}]) {
    test(`reads no id out of ${JSON.stringify(value)}`, () => {
      expect(readableId(value)).toBeUndefined();
    });
  }
});

describe("classifyMessage", () => {
  for (const [name, value, kind] of [
    ["a request", REQUEST, "request"],
    ["a request with params", { ...REQUEST, params: { a: 1 } }, "request"],
    ["a request with members that nobody knows", { ...REQUEST, extra: true }, "request"],
    ["a notification", { jsonrpc: "2.0", method: "notifications/initialized" }, "notification"],
    ["a result", { jsonrpc: "2.0", id: 1, result: {} }, "response"],
    ["an error", { jsonrpc: "2.0", id: 1, error: ERROR }, "response"],
    ["an error with data", { jsonrpc: "2.0", id: "a", error: { ...ERROR, data: [1] } }, "response"],
    ["an error without id", { jsonrpc: "2.0", error: ERROR }, "response"],
    ["an error with the id null", { jsonrpc: "2.0", id: null, error: ERROR }, "response"],
    ["an array", [REQUEST], "batch"],
    ["an empty array", [], "batch"],
    ["null", null, "invalid"],
    ["undefined", undefined, "invalid"],
    ["a number", 7, "invalid"],
    ["a string", "tools/list", "invalid"],
    ["an empty object", {}, "invalid"],
    ["no version", { id: 1, method: "tools/list" }, "invalid"],
    ["another version", { ...REQUEST, jsonrpc: "1.0" }, "invalid"],
    ["the version as a number", { ...REQUEST, jsonrpc: 2 }, "invalid"],
    ["an empty method", { ...REQUEST, method: "" }, "invalid"],
    ["a method that is a number", { ...REQUEST, method: 1 }, "invalid"],
    ["a method that is null", { ...REQUEST, method: null }, "invalid"],
    ["params that are an array", { ...REQUEST, params: [] }, "invalid"],
    ["params that are null", { ...REQUEST, params: null }, "invalid"],
    ["params that are a string", { ...REQUEST, params: "x" }, "invalid"],
    ["a method and a result", { ...REQUEST, result: {} }, "invalid"],
    ["a method and an error", { ...REQUEST, error: ERROR }, "invalid"],
    ["a result and an error", { jsonrpc: "2.0", id: 1, result: {}, error: ERROR }, "invalid"],
    ["neither method nor result nor error", { jsonrpc: "2.0", id: 1 }, "invalid"],
    ["a result without id", { jsonrpc: "2.0", result: {} }, "invalid"],
    ["a result that is not an object", { jsonrpc: "2.0", id: 1, result: "ok" }, "invalid"],
    ["a result that is null", { jsonrpc: "2.0", id: 1, result: null }, "invalid"],
    ["an error without code", { jsonrpc: "2.0", id: 1, error: { message: "x" } }, "invalid"],
    ["an error whose code is not whole", { jsonrpc: "2.0", id: 1, error: { code: 1.5, message: "x" } }, "invalid"],
    ["an error without message", { jsonrpc: "2.0", id: 1, error: { code: 1 } }, "invalid"],
    ["an error that is a string", { jsonrpc: "2.0", id: 1, error: "x" }, "invalid"],
  ] as const) {
    test(`calls ${name} ${kind}`, () => {
      expect(classifyMessage(value)).toBe(kind);
    });
  }
});

describe("builders", () => {
  test("build messages of their kinds", () => {
    expect(classifyMessage(createRequest(0, "ping"))).toBe("request");
    expect(classifyMessage(createNotification("notifications/initialized"))).toBe("notification");
    expect(classifyMessage(createResult("", {}))).toBe("response");
    expect(classifyMessage(createError(0, ERROR))).toBe("response");
  });

  test("leave out params that are not given", () => {
    expect(createRequest(1, "ping")).toEqual({ jsonrpc: "2.0", id: 1, method: "ping" });
    expect(Object.keys(createNotification("x"))).toEqual(["jsonrpc", "method"]);
    expect(createRequest(1, "x", { a: 1 }).params).toEqual({ a: 1 });
  });

  test("leave out the id of an error whose request could not be read", () => {
    expect(Object.keys(createError(undefined, ERROR))).toEqual(["jsonrpc", "error"]);
    expect(createError("", ERROR).id).toBe("");
  });
});
