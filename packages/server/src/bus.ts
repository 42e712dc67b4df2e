/**
 * Carries news between everything that serves clients of one server: in the same process, or in several. The data are JSON
 * values. A bus between processes also delivers what it published itself, like the local one, and each message at most once.
 */
export interface Bus {
  /** Hands data to everyone who subscribed to the topic. May throw or reject; the server's `onError` is told then. */
  publish(topic: string, data: unknown): void | Promise<void>;
  /** Calls back with the data of every later message of a topic. Returns the function that ends this. */
  subscribe(topic: string, listener: (data: unknown) => void): () => void;
}

/** A bus within this process. It delivers at once; what a listener throws reaches the publisher once all were told. */
export function createLocalBus(): Bus {
  const topics = new Map<string, Set<(data: unknown) => void>>();
  return {
    publish(topic, data) {
      const failures: unknown[] = [];
      for (const listener of [...(topics.get(topic) ?? [])]) {
        try {
          listener(data);
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
    subscribe(topic, listener) {
      const listeners = topics.get(topic) ?? new Set();
      topics.set(topic, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && topics.get(topic) === listeners) topics.delete(topic);
      };
    },
  };
}
