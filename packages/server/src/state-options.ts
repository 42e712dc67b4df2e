import { isObject, MortiseError } from "@mortise/core";
import { expectOption } from "./check-options.js";

/** A `CryptoKey`, by what takes one: not every environment has types under that name. */
export type CipherKey = Parameters<typeof crypto.subtle.encrypt>[1];

/** One key of the ring. */
export interface StateKey {
  /** Tells the keys of a ring apart: 1 to 64 letters, digits, `.`, `_` or `-`. It travels with what the key seals. */
  readonly id: string;
  /** 32 random bytes, their base64 or base64url text, or an AES-GCM key of 256 bits that may encrypt and decrypt. */
  readonly key: Uint8Array | string | CipherKey;
}

/** Keeps what is too long to travel, and what may be used once only. Ids are random, texts are sealed. */
export interface StateStore {
  /** Keeps a text for so many milliseconds. */
  set(id: string, text: string, ttlMs: number): unknown;
  /** The text that is kept, or nothing once its time is over. */
  get(id: string): Kept | Promise<Kept>;
  /**
   * Gives the text and forgets it in one step, so that of several callers in any process only one receives it: `GETDEL` of
   * Redis, `DELETE … RETURNING` of SQL. Needed for `singleUse`.
   */
  take?(id: string): Kept | Promise<Kept>;
}

type Kept = string | null | undefined;

/** How state is sealed that travels through clients. */
export interface StateOptions {
  /**
   * The first key seals, all of them open: put a new key in front, and take the old one away once `ttl` is over. Processes that
   * serve the same clients need the same keys. Replace a key before it has sealed four billion states. @default a random key of this process, with a warning on first use
   */
  readonly keys?: readonly StateKey[] | undefined;
  /** How long state can be used, in milliseconds. @default 3_600_000 */
  readonly ttl?: number | undefined;
  /** The longest state that travels, in bytes as it is sent. Longer state goes to the store. @default 65_536 */
  readonly maxBytes?: number | undefined;
  /** Where longer state is kept, and which state was used. @default none: longer state fails the call */
  readonly store?: StateStore | undefined;
  /**
   * Whether each state can be used once only: a client that lost the answer has to begin anew. Needs a store with `take`.
   * @default false
   */
  readonly singleUse?: boolean | undefined;
}

/** The options with every default filled in, and keys in two forms. */
export interface StateSettings {
  readonly keys: readonly { readonly id: string; readonly key: Uint8Array<ArrayBuffer> | CipherKey }[];
  readonly ttl: number;
  readonly maxBytes: number;
  readonly store: StateStore | undefined;
  readonly singleUse: boolean;
}

const KEY_ID = /^[\w.-]{1,64}$/;
const KEY_LENGTH = 32;
const ALGORITHM = "AES-GCM";
/** A reference to what a store keeps always fits. */
const LEAST_BYTES = 512;
const KNOWN: ReadonlySet<string> = new Set(["keys", "ttl", "maxBytes", "store", "singleUse"]);

/** Reads the option `state`. Throws `invalid_options`, and never shows a key. */
export function readStateOptions(options: StateOptions = {}): StateSettings {
  expectOption(isObject(options), '"state"', "an object", options);
  for (const name of Object.keys(options)) {
    if (!KNOWN.has(name)) throw invalid(`"state" to hold ${[...KNOWN].join(", ")}, received "${name}"`);
  }
  const { keys, ttl = 3_600_000, maxBytes = 65_536, store, singleUse = false } = options;
  expectOption(Number.isSafeInteger(ttl) && ttl > 0, '"state.ttl"', "a positive number of milliseconds", ttl);
  expectOption(
    Number.isSafeInteger(maxBytes) && maxBytes >= LEAST_BYTES,
    '"state.maxBytes"',
    `a number of bytes, ${LEAST_BYTES} or more`,
    maxBytes,
  );
  expectOption(typeof singleUse === "boolean", '"state.singleUse"', "true or false", singleUse);
  readStore(store, singleUse);
  return { keys: keys === undefined ? [] : readKeys(keys), ttl, maxBytes, store, singleUse };
}

function readStore(store: StateStore | undefined, singleUse: boolean): void {
  if (store !== undefined) {
    const complete = isObject(store) && typeof store.set === "function" && typeof store.get === "function";
    expectOption(complete, '"state.store"', 'an object with the functions "set" and "get"', store);
  }
  if (singleUse) {
    const take: unknown = store?.take;
    expectOption(typeof take === "function", '"state.store.take"', 'a function where "state.singleUse" is set', take);
  }
}

function readKeys(keys: readonly StateKey[]): StateSettings["keys"] {
  expectOption(Array.isArray(keys) && keys.length > 0, '"state.keys"', "an array with at least one key", keys);
  const ids = new Set<string>();
  return keys.map((entry, index) => {
    const where = `"state.keys[${index}]`;
    expectOption(isObject(entry), `${where}"`, 'an object with "id" and "key"', entry);
    const { id, key } = entry;
    const named = typeof id === "string" && KEY_ID.test(id);
    expectOption(named, `${where}.id"`, "1 to 64 letters, digits, dots, dashes or underscores", id);
    if (ids.has(id)) throw invalid(`${where}.id" to differ from those of the other keys`);
    ids.add(id);
    return { id, key: readKey(key, `${where}.key"`) };
  });
}

function readKey(key: unknown, where: string): Uint8Array<ArrayBuffer> | CipherKey {
  const bytes = typeof key === "string" ? decodeText(key) : key;
  if (bytes instanceof Uint8Array) {
    if (bytes.length !== KEY_LENGTH) throw invalid(`${where} to be ${KEY_LENGTH} bytes, received ${bytes.length}`);
    return new Uint8Array(bytes); // a copy, which its owner cannot change any more
  }
  const expected = `${KEY_LENGTH} bytes, their base64 text, or an ${ALGORITHM} key that may encrypt and decrypt`;
  expectOption(isUsable(key), where, expected, key);
  return key as CipherKey; // which is what it looks like
}

/** By what it looks like: the class is no global everywhere. */
function isUsable(key: unknown): boolean {
  if (!isObject(key) || !isObject(key.algorithm) || !Array.isArray(key.usages)) return false;
  const { name, length } = key.algorithm;
  const fits = name === ALGORITHM && length === KEY_LENGTH * 8;
  return fits && key.usages.includes("encrypt") && key.usages.includes("decrypt");
}

function decodeText(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
  } catch {
    return undefined; // the only failure that `atob` has: this is no base64
  }
}

function invalid(expected: string): MortiseError {
  return new MortiseError("invalid_options", `Expected ${expected}`);
}
