import { MortiseError } from "@mortise/core";
import type { CredentialStore } from "./credential-store.js";
import type { KeyedLock } from "./keyed-lock.js";
import { createLateLock } from "./late-lock.js";
import { readEntry } from "./store-entry.js";

/** The part of Web Storage that is used. */
export type WebStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Where a page keeps its credentials. */
export interface BrowserStoreOptions {
  /**
   * `localStorage` is kept and shared by the tabs of an origin, `sessionStorage` ends with the tab. Every script of the origin can
   * read both. @default localStorage
   */
  readonly storage?: WebStorage | undefined;
  /** What the names of entries and locks begin with. @default "mortise:" */
  readonly prefix?: string | undefined;
}

/**
 * Keeps credentials in the Web Storage of a page's origin. Where there are Web Locks (on secure pages) its locks hold between tabs,
 * elsewhere within this page. An entry that cannot be read counts as missing. Throws `invalid_options` where there is no storage; calls
 * reject with `login_failed` when it is full.
 */
export function browserStore(options: BrowserStoreOptions = {}): CredentialStore {
  const { storage = findStorage(), prefix = "mortise:" } = options;
  return {
    async get(key) {
      return readEntry(storage.getItem(prefix + key));
    },
    async set(key, value) {
      keep(storage, prefix + key, JSON.stringify(value));
    },
    async delete(key) {
      storage.removeItem(prefix + key);
    },
    lock: createWebLock(prefix) ?? createLateLock(),
  };
}

function keep(storage: WebStorage, name: string, text: string): void {
  try {
    storage.setItem(name, text);
  } catch (error) {
    throw new MortiseError("login_failed", "The browser did not keep the credentials: its storage is full", {
      cause: error,
    });
  }
}

/** Asked for by name, since reading it throws on pages that may not store anything, and there is none outside of pages. */
function findStorage(): WebStorage {
  try {
    const storage: WebStorage | undefined = globalThis.localStorage;
    if (storage?.getItem !== undefined) return storage;
  } catch (error) {
    throw new MortiseError("invalid_options", 'This page may not use localStorage: pass another "storage"', {
      cause: error,
    });
  }
  throw new MortiseError("invalid_options", 'There is no localStorage here: pass a "storage"');
}

function createWebLock(prefix: string): KeyedLock | undefined {
  const locks: LockManager | undefined = globalThis.navigator?.locks;
  if (locks === undefined) return undefined;
  return async (key, work, signal) => {
    const name = prefix + key;
    return await (signal === undefined ? locks.request(name, work) : locks.request(name, { signal }, work));
  };
}
