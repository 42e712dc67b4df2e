import { MCPServer } from "@mortise/server";
import { expect, test } from "vitest";
import { keyOf } from "./sealing.js";

const SECRET = "c3dvcmRmaXNoLXN3b3JkZmlzaA";
const key = keyOf(1);
const store = { set: () => undefined, get: () => undefined };
const weak = await crypto.subtle.generateKey({ name: "AES-GCM", length: 128 }, false, ["encrypt", "decrypt"]);
const other = await crypto.subtle.generateKey({ name: "AES-CBC", length: 256 }, false, ["encrypt", "decrypt"]);
const halfUsable = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["decrypt"]);

test.each([
  ["no object", 5],
  ["a member that does not exist", { secret: SECRET }],
  ["no keys", { keys: [] }],
  ["keys that are no list", { keys: { a: key } }],
  ["a key that is no object", { keys: [SECRET] }],
  ["a key without an id", { keys: [{ key }] }],
  ["a key with an empty id", { keys: [{ id: "", key }] }],
  ["a key with an id of other letters", { keys: [{ id: "ä b", key }] }],
  ["a key with a long id", { keys: [{ id: "x".repeat(65), key }] }],
  [
    "two keys of one id",
    {
      keys: [
        { id: "a", key },
        { id: "a", key: keyOf(2) },
      ],
    },
  ],
  ["a key that is missing", { keys: [{ id: "a", key: undefined }] }],
  ["a short key", { keys: [{ id: "a", key: new Uint8Array(16) }] }],
  ["a long key", { keys: [{ id: "a", key: new Uint8Array(33) }] }],
  ["text of a short key", { keys: [{ id: "a", key: SECRET }] }],
  ["text that is no base64", { keys: [{ id: "a", key: `${SECRET}!` }] }],
  ["a key of 128 bits", { keys: [{ id: "a", key: weak }] }],
  ["a key for another cipher", { keys: [{ id: "a", key: other }] }],
  ["a key that cannot encrypt", { keys: [{ id: "a", key: halfUsable }] }],
  ["no time", { ttl: 0 }],
  ["a time that is text", { ttl: "1h" }],
  ["a limit below what a reference takes", { maxBytes: 100 }],
  ["a store that cannot be read", { store: { set: store.set } }],
  ["single use without a store", { singleUse: true }],
  ["single use with a store that cannot take", { singleUse: true, store }],
  ["single use that is no flag", { singleUse: "yes", store }],
])("a server with %s in its state is refused, and no key is shown", (_, state) => {
  let failure: unknown;
  try {
    new MCPServer({ name: "test", version: "1", state: state as never });
  } catch (error) {
    failure = error;
  }

  expect(failure).toMatchObject({ code: "invalid_options" });
  expect(String(failure)).not.toContain(SECRET);
});

test("members of state that are undefined are as good as left out", () => {
  const state = { keys: undefined, ttl: undefined, maxBytes: undefined, store: undefined, singleUse: undefined };

  expect(() => new MCPServer({ name: "test", version: "1", state })).not.toThrow();
});
