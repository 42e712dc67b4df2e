import type { Answered } from "./connection.js";
import { calling, legacy, modern, opening, PLAIN, type Sent } from "./messages.js";

/** What a request needs to know to be written. */
export interface Surroundings {
  /** An open session. */
  readonly session: string;
  /** Another number for every request. */
  readonly number: number;
}

/** One kind of request. */
export interface RequestKind {
  readonly name: string;
  write(surroundings: Surroundings): Sent;
  /** Statuses that it may be answered with. Left out where the client leaves before. */
  readonly statuses?: readonly number[];
  /** What else the answer has to be. */
  fits?(answered: Answered, surroundings: Surroundings): boolean;
  /** How many bytes of the body are held back, where the client leaves in the middle of it. */
  readonly cut?: number;
}

const LARGE = "x".repeat(5_000_000);
const DEEP = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
const ECHO = { name: "echo", arguments: { text: "hello" } };

function replaceHeaders(sent: Sent, headers: Record<string, string>): Sent {
  return { ...sent, headers: { ...sent.headers, ...headers } };
}

function withBody(body: string | Uint8Array): () => Sent {
  return () => ({ headers: PLAIN, body });
}

function hasResult({ text }: Answered, { number }: Surroundings): boolean {
  const { id, result } = readAnswer(text);
  return id === number && result !== undefined;
}

function hasError({ text }: Answered): boolean {
  return readAnswer(text).error !== undefined;
}

/** The last message of an answer. */
function readAnswer(text: string): { readonly id?: unknown; readonly result?: unknown; readonly error?: unknown } {
  return JSON.parse(text.startsWith("{") ? text : (text.trim().split("data: ").at(-1) ?? ""));
}

const MODERN: readonly RequestKind[] = [
  {
    name: "modern call",
    write: ({ number }) => modern("tools/call", ECHO, number),
    statuses: [200],
    fits: hasResult,
  },
  {
    name: "modern call that takes a while",
    write: ({ number }) => modern("tools/call", { name: "later" }, number),
    statuses: [200],
    fits: hasResult,
  },
  {
    name: "modern call that fails",
    write: ({ number }) => modern("tools/call", { name: "crash" }, number),
    statuses: [200],
    fits: hasResult,
  },
  {
    name: "modern call that reports",
    write: ({ number }) => modern("tools/call", { name: "flood", arguments: { count: 20, size: 100 } }, number),
    statuses: [200],
    fits: hasResult,
  },
  {
    name: "modern call that asks",
    write: ({ number }) => modern("tools/call", { name: "greet" }, number),
    statuses: [200],
    fits: hasResult,
  },
  {
    name: "modern retry with a forged state",
    write: ({ number }) => modern("tools/call", { name: "greet", inputResponses: {}, requestState: "forged" }, number),
    statuses: [200, 400],
    fits: hasError,
  },
  { name: "modern list", write: ({ number }) => modern("tools/list", {}, number), statuses: [200], fits: hasResult },
  { name: "discovery", write: ({ number }) => modern("server/discover", {}, number), statuses: [200], fits: hasResult },
  { name: "unknown method", write: () => modern("tools/destroy"), statuses: [404], fits: hasError },
  { name: "unknown tool", write: () => modern("tools/call", { name: "none" }), statuses: [200, 400], fits: hasError },
  {
    name: "wrong arguments",
    write: ({ number }) => modern("tools/call", { name: "echo", arguments: { text: 1 } }, number),
    statuses: [200],
    fits: hasResult,
  },
  {
    name: "header of another method",
    write: () => replaceHeaders(modern("tools/call", ECHO), { "mcp-method": "tools/list" }),
    statuses: [400],
    fits: hasError,
  },
  {
    name: "unknown version",
    write: () => replaceHeaders(modern("tools/list"), { "mcp-protocol-version": "2099-01-01" }),
    statuses: [400],
    fits: hasError,
  },
  { name: "array of modern requests", write: () => ({ ...modern("tools/list"), body: "[]" }), statuses: [400] },
];

const LEGACY: readonly RequestKind[] = [
  {
    name: "legacy call",
    write: ({ session, number }) => legacy(calling("echo", { text: "hello" }, number), session),
    statuses: [200],
    fits: hasResult,
  },
  {
    name: "legacy call that takes a while",
    write: ({ session, number }) => legacy(calling("later", {}, number), session),
    statuses: [200],
    fits: hasResult,
  },
  { name: "opening", write: () => opening(), statuses: [200] },
  { name: "opening without params", write: () => legacy({ id: 1, method: "initialize" }), statuses: [200, 400] },
  {
    name: "batch",
    write: ({ number }) => legacy([{ jsonrpc: "2.0", id: number, method: "ping" }]),
    statuses: [200, 400],
  },
  { name: "no session", write: () => legacy({ id: 1, method: "tools/list" }), statuses: [400] },
  { name: "unknown session", write: () => legacy({ id: 1, method: "tools/list" }, "unknown"), statuses: [404] },
  {
    name: "unknown method in a session",
    write: ({ session }) => legacy({ id: 1, method: "tools/destroy" }, session),
    statuses: [200],
    fits: hasError,
  },
  {
    name: "notification",
    write: ({ session }) => legacy({ method: "notifications/initialized" }, session),
    statuses: [202],
  },
  {
    name: "answer that nobody waits for",
    write: ({ session }) => legacy({ id: "nobody", result: {} }, session),
    statuses: [202],
  },
  {
    name: "cancellation of nothing",
    write: ({ session }) => legacy({ method: "notifications/cancelled", params: { requestId: 9 } }, session),
    statuses: [202],
  },
  {
    name: "end of an unknown session",
    write: () => ({ method: "DELETE", headers: { "mcp-session-id": "unknown" } }),
    statuses: [404],
  },
  { name: "end of no session", write: () => ({ method: "DELETE", headers: {} }), statuses: [400] },
  {
    name: "stream of an unknown session",
    write: () => ({ method: "GET", headers: { accept: "text/event-stream", "mcp-session-id": "unknown" } }),
    statuses: [404],
  },
  {
    name: "stream that is no stream",
    write: ({ session }) => ({ method: "GET", headers: { accept: "text/html", "mcp-session-id": session } }),
    statuses: [406],
  },
];

const MALFORMED: readonly RequestKind[] = [
  { name: "half of a message", write: withBody('{"jsonrpc":"2.0","id":1,"method":'), statuses: [400], fits: hasError },
  { name: "no body", write: withBody(""), statuses: [400], fits: hasError },
  { name: "no message", write: withBody("42"), statuses: [400], fits: hasError },
  { name: "deep body", write: withBody(DEEP), statuses: [400] },
  { name: "broken letters", write: withBody(Uint8Array.of(0x22, 0xff, 0x22)), statuses: [400], fits: hasError },
  { name: "large body", write: withBody(LARGE), statuses: [413] },
  {
    name: "form",
    write: () => replaceHeaders(modern("tools/list"), { "content-type": "text/plain" }),
    statuses: [415],
  },
  {
    name: "reader of pages",
    write: () => replaceHeaders(modern("tools/list"), { accept: "text/html" }),
    statuses: [200],
  },
  { name: "foreign host", write: () => replaceHeaders(modern("tools/list"), { host: "evil.test" }), statuses: [403] },
  {
    name: "foreign page",
    write: () => replaceHeaders(modern("tools/list"), { origin: "https://evil.test" }),
    statuses: [403],
  },
  { name: "other method", write: () => ({ method: "PUT", headers: PLAIN, body: "{}" }), statuses: [405] },
  { name: "other path", write: () => ({ ...modern("tools/list"), path: "/other" }), statuses: [404] },
];

const ABORTED: readonly RequestKind[] = [
  { name: "modern call that is left", write: () => modern("tools/call", { name: "hang" }) },
  { name: "modern stream that is left", write: () => modern("subscriptions/listen", { notifications: {} }) },
  { name: "modern flood that is left", write: () => modern("tools/call", { name: "flood", arguments: { count: 99 } }) },
  { name: "legacy call that is left", write: ({ session }) => legacy(calling("later"), session) },
  { name: "body that breaks off", write: () => modern("tools/call", ECHO), cut: 9 },
];

/** Every kind of request, good and bad. */
export const REQUEST_KINDS: readonly RequestKind[] = [...MODERN, ...LEGACY, ...MALFORMED, ...ABORTED];
