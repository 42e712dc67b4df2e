import { once } from "node:events";
import { connect } from "node:net";
import type { EventStore, SessionRecord, SessionStore, StoredEvents } from "@mortise/http";
import type { Bus, StateStore } from "@mortise/server";
import { readLines } from "./lines.js";
import type { Told } from "./shared-store.js";

/** What a process needs of a shared store, in the forms that servers take. */
export interface Shared {
  readonly sessions: SessionStore;
  readonly events: EventStore;
  readonly states: StateStore;
  readonly bus: Bus;
}

/** Connects to the shared store on a port of this machine. */
export async function connectShared(port: number): Promise<Shared> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true }); // what is said first is heard first
  await once(socket, "connect");
  const waiting = new Map<number, (value: unknown) => void>();
  const topics = new Map<string, Set<(data: unknown) => void>>();
  let lastAsked = 0;

  function tell(op: string, ...args: readonly unknown[]): void {
    socket.write(`${JSON.stringify({ op, args })}\n`);
  }
  function ask<Value>(op: string, ...args: readonly unknown[]): Promise<Value> {
    lastAsked += 1;
    const id = lastAsked;
    socket.write(`${JSON.stringify({ id, op, args })}\n`);
    return new Promise((resolve) => waiting.set(id, resolve as (value: unknown) => void)); // as the store answers
  }
  readLines(socket, (line) => {
    const told = line as Told; // written by the store
    if ("topic" in told) for (const listener of [...(topics.get(told.topic) ?? [])]) listener(told.data);
    else {
      waiting.get(told.id)?.(told.value);
      waiting.delete(told.id);
    }
  });

  return {
    sessions: {
      get: async (id) => (await ask<SessionRecord | null>("sessions.get", id)) ?? undefined,
      set: (id, record, ttl) => ask("sessions.set", id, record, ttl),
      delete: (id) => ask("sessions.delete", id),
      touch: (id, ttl) => ask("sessions.touch", id, ttl),
    },
    events: {
      append: (stream, data) => ask("events.append", stream, data),
      forget: (owner) => ask("events.forget", owner),
      after: async (id) => (await ask<StoredEvents | null>("events.after", id)) ?? undefined,
    },
    states: {
      get: (id) => ask("states.get", id),
      set: (id, text, ttl) => ask("states.set", id, text, ttl),
      take: (id) => ask("states.take", id),
    },
    bus: {
      publish: (topic, data) => tell("publish", topic, data),
      subscribe(topic, listener) {
        const listeners = topics.get(topic) ?? new Set();
        if (listeners.size === 0) tell("subscribe", topic);
        topics.set(topic, listeners.add(listener));
        return () => {
          if (listeners.delete(listener) && listeners.size === 0) tell("unsubscribe", topic);
        };
      },
    },
  };
}
