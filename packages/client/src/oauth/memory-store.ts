import type { CredentialStore } from "./credential-store.js";
import { createLateLock } from "./late-lock.js";
import { readEntry } from "./store-entry.js";

/** Keeps credentials for as long as the process runs. Clients that share the store share their logins. */
export function memoryStore(): CredentialStore {
  const texts = new Map<string, string>();
  return {
    async get(key) {
      return readEntry(texts.get(key));
    },
    async set(key, value) {
      texts.set(key, JSON.stringify(value));
    },
    async delete(key) {
      texts.delete(key);
    },
    lock: createLateLock(),
  };
}
