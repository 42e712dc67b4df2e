import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { readLines } from "./lines.js";

/** What several processes share: one program that keeps sessions, events and states, and spreads news. */
export interface SharedStore {
  readonly port: number;
  /** How many streams of events are kept. */
  countStreams(): number;
  close(): Promise<void>;
}

/** What a client asks for: an operation by name, with a number of its own where it waits for the answer. */
export interface Asked {
  readonly id?: number;
  readonly op: string;
  readonly args: readonly unknown[];
}

/** What a client is told: an answer, or news of a topic. */
export type Told =
  | { readonly id: number; readonly value: unknown }
  | { readonly topic: string; readonly data: unknown };

type Operation = (args: readonly unknown[], socket: Socket) => unknown;

/** Starts the store on a free port of this machine. */
export async function startSharedStore(): Promise<SharedStore> {
  const streams = new Map<string, string[]>();
  const operations = new Map<string, Operation>([
    ...createSpace("sessions"),
    ...createSpace("states"),
    ...createEvents(streams),
    ...createNews(),
  ]);
  const sockets = new Set<Socket>();
  const listener = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once("close", () => {
      sockets.delete(socket);
      operations.get("forget")?.([], socket);
    });
    socket.on("error", () => undefined); // its process has ended
    readLines(socket, (line) => {
      const { id, op, args } = line as Asked;
      const value = operations.get(op)?.(args, socket);
      if (id !== undefined) tell(socket, { id, value });
    });
  });
  const port = await listenLocally(listener);
  return {
    port,
    countStreams: () => streams.size,
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Listens on a free port of this machine. */
export function listenLocally(listener: Server): Promise<number> {
  return new Promise((resolve) => {
    listener.listen(0, "127.0.0.1", () => resolve((listener.address() as AddressInfo).port));
  });
}

function tell(socket: Socket, told: Told): void {
  socket.write(`${JSON.stringify(told)}\n`);
}

/** Values that are kept for a while. */
function createSpace(name: string): [string, Operation][] {
  const kept = new Map<unknown, { value: unknown; until: number }>();
  const get = ([id]: readonly unknown[]): unknown => {
    const found = kept.get(id);
    return found === undefined || found.until <= Date.now() ? null : found.value;
  };
  const operations: Record<string, Operation> = {
    get,
    set: ([id, value, ttl]) => void kept.set(id, { value, until: Date.now() + Number(ttl) }),
    delete: ([id]) => kept.delete(id),
    touch([id, ttl]) {
      const found = kept.get(id);
      if (found !== undefined) found.until = Date.now() + Number(ttl);
    },
    take(args) {
      const value = get(args);
      kept.delete(args[0]);
      return value;
    },
  };
  return Object.entries(operations).map(([op, operation]) => [`${name}.${op}`, operation]);
}

/** Streams of events; an id is a stream's name and a number. */
function createEvents(streams: Map<string, string[]>): [string, Operation][] {
  return [
    [
      "events.append",
      ([stream, data]) => {
        const events = streams.get(String(stream)) ?? [];
        streams.set(String(stream), events);
        events.push(String(data));
        return `${stream}.${events.length}`;
      },
    ],
    [
      "events.after",
      ([id]) => {
        const [, stream = "", number = ""] = /^(.*)\.(\d+)$/.exec(String(id)) ?? [];
        const events = streams.get(stream)?.map((data, index) => ({ id: `${stream}.${index + 1}`, data }));
        return events === undefined ? null : { stream, events: events.slice(Number(number)) };
      },
    ],
    [
      "events.forget",
      ([owner]) => {
        for (const stream of [...streams.keys()]) if (stream.startsWith(`${owner}.`)) streams.delete(stream);
      },
    ],
  ];
}

/** Everybody hears the news of a topic in the same order, whoever publishes included. */
function createNews(): [string, Operation][] {
  const topics = new Map<unknown, Set<Socket>>();
  return [
    ["subscribe", ([topic], socket) => void topics.set(topic, (topics.get(topic) ?? new Set()).add(socket))],
    ["unsubscribe", ([topic], socket) => void topics.get(topic)?.delete(socket)],
    [
      "publish",
      ([topic, data]) => {
        for (const socket of topics.get(topic) ?? []) tell(socket, { topic: String(topic), data });
      },
    ],
    [
      "forget",
      (_, socket) => {
        for (const subscribers of topics.values()) subscribers.delete(socket);
      },
    ],
  ];
}
