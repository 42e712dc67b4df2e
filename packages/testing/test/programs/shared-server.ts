// One of several processes that serve the same clients. Says its port first, then what its handlers tell of themselves.
import { createHash } from "node:crypto";
import { type HttpOptions, http } from "@mortise/node";
import { MCPServer, type ServerOptions } from "@mortise/server";
import type { ServerSettings } from "../processes/server-process.js";
import { connectShared, type Shared } from "../processes/shared-client.js";

const NAME = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;
const DRAFT = { messages: [{ role: "user", content: { type: "text", text: "draft" } }], maxTokens: 10 } as const;
const DOCUMENT = "test://document";

const settings = JSON.parse(process.argv[2] ?? "{}") as ServerSettings; // written by whoever starts this
const shared = settings.store === undefined ? undefined : await connectShared(settings.store);
const waiting = new Set<() => void>();
process.on("message", () => {
  for (const release of waiting) release();
  waiting.clear();
});
process.on("disconnect", () => process.exit());

const server = new MCPServer({
  name: "shared",
  version: "1.0.0",
  prompts: [],
  onError: (error) => say(`error: ${String(error)}`),
  ...readState(shared),
});
addQuestions();
addWaiting();
addChanges();
// Clients name the proxy in front.
const { port } = await server.listen(http({ port: 0, allowedHosts: "*", legacy: readLegacy(shared) }));
process.send?.({ port });

function say(word: string): void {
  process.send?.(word);
}

function readState(parts: Shared | undefined): Partial<ServerOptions> {
  const keys = settings.keys.map((id) => ({ id, key: createHash("sha256").update(id).digest() }));
  if (parts === undefined) return { state: { keys } };
  return { bus: parts.bus, state: { keys, store: parts.states, singleUse: true } };
}

function readLegacy(parts: Shared | undefined): HttpOptions["legacy"] {
  if (settings.legacy === "minted") return { mintSessionId: true, getStream: true };
  if (settings.legacy === undefined || parts === undefined) return {};
  return { sessions: parts.sessions, resumable: parts.events, getStream: true };
}

function addQuestions(): void {
  server.tool("greet", {}, async (_, { elicit }) => {
    const answer = await elicit({ message: "Who?", schema: NAME, key: "who" });
    return answer.action === "accept" ? `Hello, ${answer.content.name}` : answer.action;
  });
  server.tool("where", {}, async (_, { listRoots }) => {
    const { roots } = await listRoots({ key: "where" });
    return roots.map(({ uri }) => uri).join(" ");
  });
  server.tool("book", {}, async (_, { elicit, sample, listRoots, once }) => {
    const who = await elicit({ message: "Who?", schema: NAME, key: "who" });
    const number = await once("number", () => {
      say("booked");
      return process.pid;
    });
    const { content } = await sample({ ...DRAFT, key: "draft" });
    const { roots } = await listRoots({ key: "where" });
    return JSON.stringify({ who, number, content, roots });
  });
  server.tool("remember", {}, async (_, { elicit, once }) => {
    const long = await once("long", () => "x".repeat(100_000));
    await elicit({ message: "Go on?", schema: NAME, key: "who" });
    return String(long.length);
  });
  server.prompt("letter", {}, async (_, { elicit }) => {
    const answer = await elicit({ message: "To whom?", schema: NAME, key: "who" });
    return answer.action === "accept" ? `Write to ${answer.content.name}` : answer.action;
  });
  server.resource("test://letter", { name: "letter" }, async (_, { elicit }) => {
    const answer = await elicit({ message: "To whom?", schema: NAME, key: "who" });
    return answer.action === "accept" ? `Dear ${answer.content.name}` : answer.action;
  });
}

function addWaiting(): void {
  server.tool("hold", {}, async (_, { signal, log }) => {
    say("holding");
    await log("info", "holding");
    const released = await new Promise<boolean>((resolve) => {
      waiting.add(() => resolve(true));
      signal.addEventListener("abort", () => resolve(false));
    });
    say(released ? "released" : "aborted");
    return "held";
  });
  server.tool("poll", {}, async (_, { closeStream }) => {
    say("holding");
    closeStream({ retry: 1 });
    await new Promise<void>((resolve) => waiting.add(resolve));
    return "polled";
  });
  server.tool("ask late", {}, async (_, { listRoots }) => {
    say("holding");
    await new Promise<void>((resolve) => waiting.add(resolve));
    const { roots } = await listRoots();
    say(`answered ${roots[0]?.uri}`);
    return "asked";
  });
  server.tool("chat", {}, async (_, { log }) => {
    await log("debug", "psst");
    return "chatted";
  });
}

function addChanges(): void {
  server.resource(DOCUMENT, { name: "document" }, () => "text");
  server.tool("change", {}, () => {
    server.notify.toolsChanged();
    server.notify.promptsChanged();
    server.notify.resourceUpdated(DOCUMENT);
    return "changed";
  });
}
