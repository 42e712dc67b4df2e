import { afterEach, describe, expect, test, vi } from "vitest";
import { createSealer, keyOf } from "./sealing.js";

const keys = [{ id: "a", key: keyOf(1) }];
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

afterEach(() => {
  vi.useRealTimers();
});

describe("a sealed state", () => {
  test("opens to what was sealed", async () => {
    const { sealer } = createSealer({ keys });

    const token = await sealer.seal("state", { name: "Zoë", list: [1, null, { deep: true }] });

    expect(await sealer.open("state", token)).toEqual({ name: "Zoë", list: [1, null, { deep: true }] });
  });

  test("is visible ASCII that shows nothing of what it holds", async () => {
    const { sealer } = createSealer({ keys });

    const token = await sealer.seal("state", { secret: "swordfish" });

    expect(token).toMatch(/^[\w-]+$/);
    expect(atob(token.replaceAll("-", "+").replaceAll("_", "/"))).not.toContain("swordfish");
  });

  test("differs each time that the same is sealed", async () => {
    const { sealer } = createSealer({ keys });

    expect(await sealer.seal("state", {})).not.toBe(await sealer.seal("state", {}));
  });

  test("opens in another process with the same keys", async () => {
    const token = await createSealer({ keys }).sealer.seal("state", { step: 2 });

    expect(await createSealer({ keys }).sealer.open("state", token)).toEqual({ step: 2 });
  });

  test("does not open for another purpose", async () => {
    const { sealer } = createSealer({ keys });

    const token = await sealer.seal("state", {});

    expect(await sealer.open("session", token)).toBeUndefined();
  });

  test("does not open with any of its letters changed, left out or added", async () => {
    const { sealer } = createSealer({ keys });
    const token = await sealer.seal("state", { step: 1 });

    for (let index = 0; index < token.length; index += 1) {
      const letter = LETTERS[(LETTERS.indexOf(token[index]!) + 1) % 64];
      expect(await sealer.open("state", `${token.slice(0, index)}${letter}${token.slice(index + 1)}`)).toBeUndefined();
      expect(await sealer.open("state", token.slice(0, index))).toBeUndefined();
    }
    expect(await sealer.open("state", `${token}A`)).toBeUndefined();
    expect(await sealer.open("state", `${token}=`)).toBeUndefined();
  });

  test.each([64, 65, 66, 67])("has one spelling only (%i letters of payload)", async (length) => {
    const { sealer } = createSealer({ keys });
    const token = await sealer.seal("state", { text: "x".repeat(length) });

    const opened = await Promise.all([...LETTERS].map((letter) => sealer.open("state", token.slice(0, -1) + letter)));

    expect(opened.filter((payload) => payload !== undefined)).toHaveLength(1);
  });

  test("does not open once its time is over", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { sealer } = createSealer({ keys, ttl: 1_000 });
    const token = await sealer.seal("state", {});
    const longer = await sealer.seal("state", {}, { ttl: 2_000 });

    vi.advanceTimersByTime(1_000);

    expect(await sealer.open("state", token)).toBeUndefined();
    expect(await sealer.open("state", longer)).toEqual({});
  });

  test("can be opened for an hour by default", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { sealer } = createSealer({ keys });
    const token = await sealer.seal("state", {});

    vi.advanceTimersByTime(3_599_999);
    expect(await sealer.open("state", token)).toEqual({});
    vi.advanceTimersByTime(1);
    expect(await sealer.open("state", token)).toBeUndefined();
  });
});

describe("the key ring", () => {
  const [old, young] = [
    { id: "2026-01", key: keyOf(1) },
    { id: "2026-02", key: keyOf(2) },
  ];

  test("opens with every key, and seals with the first", async () => {
    const before = createSealer({ keys: [old] }).sealer;
    const during = createSealer({ keys: [young, old] }).sealer;
    const after = createSealer({ keys: [young] }).sealer;

    const [early, late] = [await before.seal("state", { n: 1 }), await during.seal("state", { n: 2 })];

    expect(await during.open("state", early)).toEqual({ n: 1 });
    expect(await during.open("state", late)).toEqual({ n: 2 });
    expect(await after.open("state", late)).toEqual({ n: 2 });
    expect(await after.open("state", early)).toBeUndefined();
    expect(await before.open("state", late)).toBeUndefined();
  });

  test("takes no other key for one of the same name", async () => {
    const token = await createSealer({ keys: [old] }).sealer.seal("state", {});

    expect(await createSealer({ keys: [{ ...old, key: keyOf(3) }] }).sealer.open("state", token)).toBeUndefined();
  });

  test("reads a key as bytes, as text, and as a key of WebCrypto", async () => {
    const text = btoa(String.fromCharCode(...keyOf(251)));
    const imported = await crypto.subtle.importKey("raw", new Uint8Array(keyOf(251)), "AES-GCM", false, [
      "encrypt",
      "decrypt",
    ]);
    const url = text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    const token = await createSealer({ keys: [{ id: "k", key: keyOf(251) }] }).sealer.seal("state", { ok: 1 });

    for (const key of [text, url, imported])
      expect(await createSealer({ keys: [{ id: "k", key }] }).sealer.open("state", token)).toEqual({ ok: 1 });
  });

  test("does not notice what its owner does to the bytes later", async () => {
    const key = keyOf(7);
    const { sealer } = createSealer({ keys: [{ id: "k", key }] });

    key.fill(0);
    const token = await sealer.seal("state", { ok: 1 });

    expect(await createSealer({ keys: [{ id: "k", key: keyOf(7) }] }).sealer.open("state", token)).toEqual({ ok: 1 });
  });
});

describe("without keys", () => {
  test("the server makes its own, and warns its owner once", async () => {
    const { sealer, warnings } = createSealer();

    const tokens = await Promise.all([sealer.seal("state", { n: 1 }), sealer.seal("state", { n: 2 })]);

    expect(await sealer.open("state", tokens[0])).toEqual({ n: 1 });
    expect(await sealer.open("state", tokens[1])).toEqual({ n: 2 });
    expect(warnings).toHaveLength(1);
  });

  test("nothing that another server sealed opens", async () => {
    const token = await createSealer().sealer.seal("state", {});
    const other = createSealer();
    await other.sealer.seal("state", {});

    expect(await other.sealer.open("state", token)).toBeUndefined();
  });

  test("nobody is warned as long as nothing is sealed", async () => {
    const { sealer, warnings } = createSealer();

    expect(await sealer.open("state", "AQNvd24")).toBeUndefined();
    expect(warnings).toEqual([]);
  });
});

test.each([
  ["nothing", ""],
  ["one letter", "A"],
  ["padding", "===="],
  ["no base64url", "a b+/\u0000é"],
  ["a version of another time", "AgNvd24"],
  ["an id that is longer than the token", "Af8"],
  ["an unknown key", btoa(`\u0001\u0001z${"x".repeat(40)}`).replaceAll("=", "")],
  ["a head alone", btoa("\u0001\u0001a").replaceAll("=", "")],
  ["less than a tag", btoa(`\u0001\u0001a${"x".repeat(27)}`).replaceAll("=", "")],
  ["10 MB", "A".repeat(10_000_000)],
])("a token of %s does not open, and nothing is thrown", async (_, token) => {
  const { sealer, errors } = createSealer({ keys });

  expect(await sealer.open("state", token)).toBeUndefined();
  expect(errors).toEqual([]);
});

test("random tokens do not open, and nothing is thrown", async () => {
  const { sealer, errors } = createSealer({ keys });

  for (let round = 0; round < 500; round += 1) {
    const bytes = crypto.getRandomValues(new Uint8Array(round % 120));
    const text = btoa(`\u0001\u0001a${String.fromCharCode(...bytes)}`);
    const token = text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    expect(await sealer.open("state", token)).toBeUndefined();
  }
  expect(errors).toEqual([]);
});

test("a state that is too long and has nowhere to go is refused with the name of the option", async () => {
  const { sealer } = createSealer({ keys, maxBytes: 512 });

  await expect(sealer.seal("state", { text: "x".repeat(512) })).rejects.toMatchObject({
    code: "state_too_large",
    message: expect.stringContaining("state.store"),
  });
});

test("the longest state that travels is as long as the limit", async () => {
  const { sealer } = createSealer({ keys, maxBytes: 1024 });
  const short = await sealer.seal("state", { text: "" });
  const room = Math.floor(((1024 - short.length) * 3) / 4);

  const token = await sealer.seal("state", { text: "x".repeat(room) });

  expect(token.length).toBeLessThanOrEqual(1024);
  expect(token.length).toBeGreaterThan(1020);
  await expect(sealer.seal("state", { text: "x".repeat(room + 3) })).rejects.toMatchObject({ code: "state_too_large" });
});
