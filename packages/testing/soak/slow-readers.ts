import type { HttpOptions } from "@mortise/node";
import { type Check, type Scale, withSubject } from "./checks.js";
import { Connections } from "./connection.js";
import { legacy, modern, opening, type Sent } from "./messages.js";
import { LONG_WATCHED, type Subject, sleep } from "./subject.js";
import { demandLittle, openUnread } from "./unread.js";

const CHUNK = 4_000;
const PER_MEBIBYTE = 1_048_576 / CHUNK;

/** A client that opens a stream and does not read it. */
interface Slow {
  readonly name: string;
  readonly legacy?: HttpOptions["legacy"];
  /** Gives the request for the stream that is not read. */
  prepare(connections: Connections, mebibytes: number): Promise<Sent>;
  /** Sends so many megabytes to it. */
  fill(subject: Subject, mebibytes: number): Promise<void>;
}

const SESSIONS = { sessions: "memory", getStream: true } as const;

const READERS: readonly Slow[] = [
  {
    name: "a stream of subscriptions/listen",
    prepare: async () =>
      modern("subscriptions/listen", {
        notifications: { toolsListChanged: true, resourceSubscriptions: [LONG_WATCHED] },
      }),
    fill: change,
  },
  {
    name: "a modern stream of progress",
    prepare: async (_, mebibytes) => modern("tools/call", { name: "flood", arguments: countChunks(mebibytes) }),
    fill: waitForFlood,
  },
  {
    name: "a legacy stream of progress",
    legacy: SESSIONS,
    prepare: prepareFlood,
    fill: waitForFlood,
  },
  {
    name: "a resumable stream of progress",
    legacy: { ...SESSIONS, resumable: true },
    prepare: prepareFlood,
    fill: waitForFlood,
  },
  { name: "a GET stream", legacy: SESSIONS, prepare: prepareWatching, fill: change },
  {
    name: "a resumable GET stream",
    legacy: { ...SESSIONS, resumable: true },
    prepare: prepareWatching,
    fill: change,
  },
];

/** Readers that do not read. */
export const slowReaders: readonly Check[] = READERS.map(
  (slow): Check => ({
    name: `${slow.name} that is not read holds little`,
    run: (scale) => withSubject({ legacy: slow.legacy }, (subject) => weighUnread(subject, slow, scale)),
  }),
);

async function weighUnread(subject: Subject, { prepare, fill }: Slow, { flood }: Scale): Promise<string> {
  const connections = new Connections(subject.port);
  await connections.send(modern("tools/call", { name: "flood", arguments: { count: 100, size: 10 } }));
  const sent = await prepare(connections, flood);
  const before = await subject.ask({ kind: "collect" });
  const { socket } = await openUnread(subject.port, sent);
  await fill(subject, flood);
  const during = await subject.ask({ kind: "collect" });
  socket.destroy();
  connections.close();
  const after = await subject.settle();
  return `${flood} MiB sent: ${demandLittle(before, during, after)}`;
}

async function prepareFlood(connections: Connections, mebibytes: number): Promise<Sent> {
  const session = await openSession(connections);
  const params = { name: "flood", arguments: countChunks(mebibytes), _meta: { progressToken: 1 } };
  return legacy({ id: 1, method: "tools/call", params }, session);
}

async function prepareWatching(connections: Connections): Promise<Sent> {
  const session = await openSession(connections);
  await connections.send(legacy({ id: 1, method: "resources/subscribe", params: { uri: LONG_WATCHED } }, session));
  return { method: "GET", headers: { accept: "text/event-stream", "mcp-session-id": session } };
}

async function openSession(connections: Connections): Promise<string> {
  const { headers } = await connections.send(opening());
  return String(headers["mcp-session-id"]);
}

function countChunks(mebibytes: number): { readonly count: number; readonly size: number } {
  return { count: Math.ceil(mebibytes * PER_MEBIBYTE), size: CHUNK };
}

async function change(subject: Subject, mebibytes: number): Promise<void> {
  await subject.ask({ kind: "change", times: countChunks(mebibytes).count });
}

/** The first flood was the one that warmed up. */
async function waitForFlood(subject: Subject): Promise<void> {
  while ((await subject.ask({ kind: "show" })).floods < 2) await sleep(50);
}
