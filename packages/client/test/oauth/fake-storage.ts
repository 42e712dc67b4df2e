import type { WebStorage } from "../../src/oauth/browser-store.js";

/** A Web Storage that keeps its entries in memory. */
export function createFakeStorage(): WebStorage {
  const entries = new Map<string, string>();
  return {
    getItem: (name) => entries.get(name) ?? null,
    setItem: (name, text) => void entries.set(name, text),
    removeItem: (name) => void entries.delete(name),
  };
}
