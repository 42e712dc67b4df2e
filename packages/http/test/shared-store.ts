import type { SessionRecord, SessionStore } from "@mortise/http";
import type { Bus } from "@mortise/server";

/** A store as several processes share one: it answers later, and holds text. */
export function createStore(): SessionStore & { readonly size: number } {
  const kept = new Map<string, string>();
  return {
    get size() {
      return kept.size;
    },
    async get(id) {
      const text = kept.get(id);
      return text === undefined ? undefined : (JSON.parse(text) as SessionRecord);
    },
    async set(id, record) {
      kept.set(id, JSON.stringify(record));
    },
    delete: async (id) => kept.delete(id),
    touch: async () => undefined,
  };
}

/** A bus as several processes share one: what goes over it is text. */
export function createBus(): Bus & { readonly published: readonly string[] } {
  const listeners = new Map<string, Set<(data: unknown) => void>>();
  const published: string[] = [];
  return {
    published,
    publish(topic, data) {
      published.push(topic);
      const text = JSON.stringify(data);
      for (const listener of [...(listeners.get(topic) ?? [])]) listener(JSON.parse(text));
    },
    subscribe(topic, listener) {
      const all = listeners.get(topic) ?? new Set();
      listeners.set(topic, all.add(listener));
      return () => all.delete(listener);
    },
  };
}
