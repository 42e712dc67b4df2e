// The server that is put under load, in a process of its own: what it holds can be weighed, and how it is doing asked.
import { type HttpOptions, http } from "@mortise/node";
import { type HandlerContext, MCPServer } from "@mortise/server";
import { LONG_WATCHED, type Question, type Shown, WATCHED } from "./subject.js";

const NAME = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;
const TEXT = { type: "object", properties: { text: { type: "string" } } } as const;
const FLOOD = { type: "object", properties: { count: { type: "integer" }, size: { type: "integer" } } } as const;
const EXPECTED_FAILURE = "it broke";

const options = JSON.parse(process.argv[2] ?? "{}") as Partial<HttpOptions>; // written by whoever starts this
const complaints: string[] = [];
let said = 0;
process.on("warning", (warning) => complain("warning", warning));
process.on("unhandledRejection", (error) => complain("unhandled rejection", error));
process.on("uncaughtException", (error) => complain("uncaught exception", error));
process.on("disconnect", () => process.exit());

const server = new MCPServer({
  name: "subject",
  version: "1.0.0",
  prompts: [],
  state: { keys: [{ id: "only", key: new Uint8Array(32).fill(7) }] },
  onError: complainUnlessMeant,
});
server.tool("echo", { input: TEXT }, ({ text = "" }) => text);
server.tool("later", {}, async () => {
  await turn();
  await turn();
  return "later";
});
server.tool("greet", {}, async (_, { elicit }) => {
  const answer = await elicit({ message: "Who?", schema: NAME, key: "who" });
  return answer.action === "accept" ? `Hello, ${answer.content.name}` : answer.action;
});
server.tool("crash", {}, () => {
  throw new Error(EXPECTED_FAILURE);
});
server.tool("flood", { input: FLOOD }, ({ count = 1, size = 1 }, context) => flood(count, size, context));
server.tool("hang", {}, (_, { signal }) => new Promise((resolve) => signal.addEventListener("abort", resolve)));
server.prompt("letter", {}, () => "Dear reader");
for (const uri of [WATCHED, LONG_WATCHED]) server.resource(uri, { name: "watched" }, () => "text");

const { port, server: listener } = await server.listen(http({ port: 0, onError: complainUnlessMeant, ...options }));
process.on("message", (question: Question) => void answer(question));
process.send?.({ port });

function complain(kind: string, error: unknown): void {
  complaints.push(`${kind}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
}

/** A handler that fails on purpose is no reason to complain. */
function complainUnlessMeant(error: unknown): void {
  if (!(error instanceof Error && error.message === EXPECTED_FAILURE)) complain("error", error);
}

/** Reports without waiting for whoever reads. */
async function flood(count: number, size: number, { progress }: HandlerContext): Promise<string> {
  const message = "x".repeat(size);
  for (let index = 1; index <= count; index += 1) {
    void progress(index, count, message);
    if (index % 10 === 0) await turn();
  }
  said += 1;
  return "flooded";
}

/** Changes things again and again, each time in a turn of its own. */
async function change(times: number): Promise<void> {
  for (let index = 0; index < times; index += 1) {
    server.notify.resourceUpdated(WATCHED);
    server.notify.resourceUpdated(LONG_WATCHED);
    server.notify.toolsChanged();
    await turn();
  }
}

async function answer(question: Question): Promise<void> {
  if (question.kind === "change") await change(question.times);
  if (question.kind === "collect") await collect();
  process.send?.(await show());
}

async function show(): Promise<Shown> {
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  const connections = await new Promise<number>((resolve) => {
    listener.getConnections((_, count) => resolve(count));
  });
  const { size } = server.inside.core.inFlight;
  return { heapUsed, held: heapUsed + external + arrayBuffers, connections, calls: size, floods: said, complaints };
}

/** The second time takes what only became free with the first. */
async function collect(): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
