import type { JsonObject } from "@mortise/core";
import { decodeBase64Url, encodeBase64Url, lengthInBase64Url } from "./base64url.js";
import type { SealOptions } from "./sealer.js";
import type { CipherKey, StateSettings } from "./state-options.js";

/*
 * A token is the base64url text, without padding, of
 *
 *   1 byte    the version of this form, 1
 *   1 byte    the length of the key's id
 *   n bytes   the key's id, ASCII
 *   12 bytes  the initialization vector, random
 *   the rest  JSON of `Inside`, sealed with AES-GCM (256 bits), and the tag of 16 bytes
 *
 * Version, key id, purpose and the place in a store are the additional data, so that a token is good for nothing else.
 */
const VERSION = 1;
const VECTOR_LENGTH = 12;
const TAG_LENGTH = 16;
const ALGORITHM = "AES-GCM";
const OWN_KEY_ID = "own";
const OWN_KEY = { name: ALGORITHM, length: 256 };
const USAGES: ("encrypt" | "decrypt")[] = ["encrypt", "decrypt"];
const ID_LENGTH = 16;
/** The longest text that goes to a store, in bytes. */
const LARGEST_STORED = 16_777_216;
/** What stands in a store for a state that travels but may be used once only. */
const UNUSED = "unused";

/** What a token holds. */
interface Inside {
  /** When it can be opened no longer, in milliseconds since 1970. */
  readonly expires: number;
  /** What was sealed; left out where a store keeps it. */
  readonly payload?: JsonObject | undefined;
  /** Its place in the store, where it has one. */
  readonly id?: string | undefined;
  /** Whether it must be taken from the store to be used. */
  readonly single?: boolean | undefined;
}

/** What a token is made for: opened for anything else it does not open. */
interface Place {
  readonly purpose: string;
  /** Under which id a store keeps it; empty for what travels. */
  readonly id: string;
}

/** The work behind a `Sealer`. */
export interface Sealing {
  seal(purpose: string, payload: JsonObject, options: SealOptions): Promise<string>;
  /** Rejects only with what the store or `accepts` threw. */
  open(
    purpose: string,
    token: string,
    accepts: ((payload: JsonObject) => boolean) | undefined,
  ): Promise<JsonObject | undefined>;
}

/** Makes what seals and opens. `refuse` makes the error for a state of too many bytes; it is handed in to keep this module apart. */
export async function createSealing(
  settings: StateSettings,
  refuse: (bytes: number, limit: number) => Error,
): Promise<Sealing> {
  const { store, maxBytes } = settings;
  const ring = await createRing(settings.keys);

  async function openInside(place: Place, token: string, limit: number): Promise<Inside | undefined> {
    const inside = token.length <= limit ? await decrypt(ring, place, token) : undefined;
    return inside !== undefined && inside.expires > Date.now() ? inside : undefined;
  }

  /** Leaves the payload in the store, and gives the token that stands for it. */
  async function sealStored(purpose: string, inside: Inside, ttl: number): Promise<string> {
    const { expires, payload, single, id = createId() } = inside;
    await store?.set(id, await encrypt(ring, { purpose, id }, encode({ expires, payload })), ttl);
    return encrypt(ring, { purpose, id: "" }, encode({ expires, id, single }));
  }

  async function readStored(purpose: string, id: string): Promise<JsonObject | undefined> {
    const text = await store?.get(id);
    if (typeof text !== "string") return undefined;
    return (await openInside({ purpose, id }, text, LARGEST_STORED))?.payload;
  }

  return {
    async seal(purpose, payload, { ttl = settings.ttl, reusable = false }) {
      const expires = Date.now() + ttl;
      const single = settings.singleUse && !reusable;
      const inside: Inside = { expires, payload, ...(single ? { id: createId(), single } : {}) };
      const bytes = encode(inside);
      const size = measure(ring, bytes);
      if (size > maxBytes) {
        if (store === undefined || size > LARGEST_STORED) throw refuse(size, store ? LARGEST_STORED : maxBytes);
        return sealStored(purpose, inside, ttl);
      }
      if (inside.id !== undefined) await store?.set(inside.id, UNUSED, ttl);
      return encrypt(ring, { purpose, id: "" }, bytes);
    },

    async open(purpose, token, accepts) {
      const inside = await openInside({ purpose, id: "" }, token, maxBytes);
      if (inside === undefined) return undefined;
      const { id = "", single } = inside;
      const payload = inside.payload ?? (await readStored(purpose, id));
      if (payload === undefined || accepts?.(payload) === false) return undefined;
      // Several may have come this far. Whoever takes it from the store has it.
      if (single && typeof (await store?.take?.(id)) !== "string") return undefined;
      return payload;
    },
  };
}

/** The keys by id, and the one that seals. */
interface Ring {
  readonly keys: ReadonlyMap<string, CipherKey>;
  readonly sealing: readonly [id: string, key: CipherKey];
}

async function createRing(keys: StateSettings["keys"]): Promise<Ring> {
  const usable: (readonly [string, CipherKey])[] = [];
  for (const { id, key } of keys)
    usable.push([
      id,
      key instanceof Uint8Array ? await crypto.subtle.importKey("raw", key, ALGORITHM, false, USAGES) : key,
    ]);
  const sealing = usable[0] ?? [OWN_KEY_ID, await crypto.subtle.generateKey(OWN_KEY, false, USAGES)];
  return { keys: new Map([sealing, ...usable]), sealing };
}

function encode(inside: Inside): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(inside));
}

/** How long the token will be. */
function measure({ sealing: [keyId] }: Ring, bytes: Uint8Array): number {
  return lengthInBase64Url(2 + keyId.length + VECTOR_LENGTH + bytes.length + TAG_LENGTH);
}

async function encrypt({ sealing: [keyId, key] }: Ring, place: Place, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(VECTOR_LENGTH));
  const parameters = { name: ALGORITHM, iv, additionalData: bindTo(keyId, place) };
  const sealed = new Uint8Array(await crypto.subtle.encrypt(parameters, key, bytes));
  const head = 2 + keyId.length;
  const token = new Uint8Array(head + VECTOR_LENGTH + sealed.length);
  token.set([VERSION, keyId.length, ...new TextEncoder().encode(keyId)]);
  token.set(iv, head);
  token.set(sealed, head + VECTOR_LENGTH);
  return encodeBase64Url(token);
}

/** Takes anything. Gives `undefined` for whatever `encrypt` did not make for this place with a key of the ring. */
async function decrypt({ keys }: Ring, place: Place, token: string): Promise<Inside | undefined> {
  const bytes = decodeBase64Url(token);
  if (bytes === undefined || bytes[0] !== VERSION) return undefined;
  const head = 2 + (bytes[1] ?? 0);
  const keyId = String.fromCharCode(...bytes.subarray(2, head));
  const key = keys.get(keyId);
  if (key === undefined || bytes.length < head + VECTOR_LENGTH + TAG_LENGTH) return undefined;
  const iv = bytes.subarray(head, head + VECTOR_LENGTH);
  const parameters = { name: ALGORITHM, iv, additionalData: bindTo(keyId, place) };
  try {
    const opened = await crypto.subtle.decrypt(parameters, key, bytes.subarray(head + VECTOR_LENGTH));
    return JSON.parse(new TextDecoder().decode(opened)) as Inside; // what a holder of the key has sealed as one
  } catch {
    return undefined; // the tag does not fit: changed, or sealed for another place or by another key of this name
  }
}

function bindTo(keyId: string, { purpose, id }: Place): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify([VERSION, keyId, purpose, id]));
}

function createId(): string {
  return encodeBase64Url(crypto.getRandomValues(new Uint8Array(ID_LENGTH)));
}
