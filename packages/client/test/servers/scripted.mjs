// A server on stdio whose behaviour is named by its first argument. Logs the methods it got to the file named by the second.
import { appendFileSync, existsSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , behaviour, log] = process.argv;
const startedBefore = existsSync(log);
appendFileSync(log, "start\n");

const DISCOVERED = { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities: { tools: {} } };
const AGREED = {
  protocolVersion: "2024-11-05",
  capabilities: { tools: {} },
  serverInfo: { name: "old", version: "1" },
};
const TOOLS = { tools: [{ name: "echo", inputSchema: { type: "object" } }] };

let initialized = false;

const legacy = {
  initialize: () => AGREED,
  "notifications/initialized": () => {
    initialized = true;
  },
  "tools/list": () => (initialized ? TOOLS : undefined),
  "tools/call": () => (initialized ? { content: [{ type: "text", text: `pid ${process.pid}` }] } : undefined),
};
const modern = {
  "server/discover": () => DISCOVERED,
  "tools/list": () => TOOLS,
  "tools/call": ({ params }) => {
    if (params.name === "die") process.exit(3);
    if (params.name === "hang") return undefined;
    return { content: [{ type: "text", text: `pid ${process.pid}` }] };
  },
};

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const KEY = "io.modelcontextprotocol/subscriptionId";
const acknowledged = "notifications/subscriptions/acknowledged";
const changed = "notifications/tools/list_changed";
/** Ids of what is listened to, by a modern client. */
const listening = [];

const behaviours = {
  // Knows four methods, and ignores everything else.
  "silent-legacy": legacy,
  // Ends when the first message is not `initialize`.
  "touchy-legacy": { ...legacy, "server/discover": () => process.exit(1) },
  modern,
  // Tells of a change whenever its tool is called.
  "modern-listening": {
    ...modern,
    "subscriptions/listen": ({ id, params }) => {
      listening.push(id);
      say({ method: acknowledged, params: { _meta: { [KEY]: id }, notifications: params.notifications } });
    },
    "tools/call": (message) => {
      for (const id of listening) say({ method: changed, params: { _meta: { [KEY]: id } } });
      return modern["tools/call"](message);
    },
  },
  "legacy-listening": {
    ...legacy,
    initialize: () => ({
      ...AGREED,
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} },
    }),
    "logging/setLevel": () => ({}),
    "resources/subscribe": () => ({}),
    "tools/call": (message) => {
      say({ method: changed });
      return modern["tools/call"](message);
    },
  },
  // Dies at once, always.
  broken: undefined,
};

if (behaviour === "broken") process.exit(7);
if (behaviour === "touchy-legacy" && startedBefore) appendFileSync(log, "again\n");

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  appendFileSync(log, `${message.method}\n`);
  const result = behaviours[behaviour][message.method]?.(message);
  if (result !== undefined && message.id !== undefined) {
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, result })}\n`);
  }
});
