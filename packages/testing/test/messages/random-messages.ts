import { LEGACY_PROTOCOL_VERSION, MODERN_PROTOCOL_VERSION } from "@mortise/server";

/** Makes choices that are the same in every run with the same seed. */
export interface Chance {
  /** A whole number below a limit. */
  below(limit: number): number;
  pick<Choice>(choices: readonly Choice[]): Choice;
}

/** A small generator of pseudo-random numbers (mulberry32). */
export function createChance(seed: number): Chance {
  let state = seed;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return { below, pick: (choices) => choices[below(choices.length)] as never }; // an index below the length
}

const DEEP: unknown = JSON.parse(`${"[".repeat(300)}${"]".repeat(300)}`);
/** What may stand anywhere. */
const ODD: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  "",
  "odd text",
  [],
  {},
  DEEP,
  { __proto__: null, toString: 1 },
];
const IDS: readonly unknown[] = [1, 0, -7, "", "a", "1", Number.MAX_SAFE_INTEGER];
const METHODS = [
  "tools/call",
  "tools/call",
  "tools/call",
  "tools/call",
  "tools/list",
  "prompts/get",
  "prompts/get",
  "prompts/list",
  "completion/complete",
  "resources/read",
  "resources/read",
  "resources/list",
  "resources/templates/list",
  "ping",
  "initialize",
  "server/discover",
  "logging/setLevel",
  "nope",
  "notifications/cancelled",
];
const VERSIONS = [
  MODERN_PROTOCOL_VERSION,
  MODERN_PROTOCOL_VERSION,
  MODERN_PROTOCOL_VERSION,
  LEGACY_PROTOCOL_VERSION,
  "2030-01-01",
  "",
];
const NAMES: readonly unknown[] = [
  "echo",
  "later",
  "count",
  "typed",
  "fail",
  "throw-rpc",
  "unsendable",
  "asking",
  "asking",
  "missing",
  "__proto__",
  5,
];

const URIS: readonly unknown[] = [
  "x://text",
  "x://bytes",
  "x://fail",
  "x://throw-rpc",
  "x://hidden",
  "x://a%20b/c?tag=1&tag=%F0%9F%98%80",
  "x://a/%2e%2e",
  "x://a%2Fb",
  "x://%zz",
  "y://nothing",
  "not a uri",
  ...ODD,
];

/** A message that is right in most places, as a decoded JSON value. */
export function createMessage(chance: Chance): unknown {
  if (chance.below(25) === 0) return chance.pick(ODD);
  if (chance.below(25) === 0) return [createMessage(chance), createMessage(chance)];
  const message: Record<string, unknown> = { jsonrpc: "2.0", id: chance.pick(IDS), method: chance.pick(METHODS) };
  message.params = createParams(chance, message.method);
  if (chance.below(12) === 0) delete message[chance.pick(Object.keys(message))];
  if (chance.below(12) === 0)
    message[chance.pick(["jsonrpc", "id", "method", "params", "result", "error", "extra"])] = chance.pick(ODD);
  // Over HTTP modern servers refuse responses, which they ignore elsewhere.
  if (message.method === undefined) delete message.result;
  return JSON.parse(JSON.stringify(message)) as unknown; // what JSON makes of it, and no objects in common
}

function createParams(chance: Chance, method: unknown): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  if (method === "tools/call") {
    params.name = chance.pick(NAMES);
    params.arguments = chance.pick<unknown>([
      {},
      { text: "é😀\u2028\n" },
      { text: chance.pick(ODD) },
      chance.pick(ODD),
    ]);
  }
  if (method === "prompts/get") {
    params.name = chance.pick(NAMES);
    params.arguments = chance.pick<unknown>([{}, { text: "é" }, { text: "a", more: "b" }, chance.pick(ODD)]);
  }
  if (method === "completion/complete") {
    params.ref = chance.pick<unknown>([
      { type: "ref/prompt", name: chance.pick(NAMES) },
      { type: "ref/resource", uri: chance.pick<unknown>(["x://{text}{/more*}{?tag*}", "x://text", "nope"]) },
      chance.pick(ODD),
    ]);
    params.argument = chance.pick<unknown>([{ name: "text", value: "a" }, chance.pick(ODD)]);
    if (chance.below(2) === 0) params.context = { arguments: chance.pick<unknown>([{ text: "b" }, chance.pick(ODD)]) };
  }
  if (method === "resources/read") params.uri = chance.pick(URIS);
  if (String(method).endsWith("/list") && chance.below(3) === 0)
    params.cursor = chance.pick<unknown>(["dG9vbHM6MQ", "x", ...ODD]);
  if (method === "logging/setLevel") params.level = chance.pick<unknown>(["debug", "emergency", "loud", 1]);
  if (method === "initialize") {
    params.protocolVersion = chance.pick<unknown>([
      LEGACY_PROTOCOL_VERSION,
      "2024-11-05",
      "1999-01-01",
      MODERN_PROTOCOL_VERSION,
      5,
    ]);
    params.capabilities = chance.pick<unknown>([{}, { roots: {} }, null]);
    params.clientInfo = { name: "random", version: "1" };
  }
  if (method === "notifications/cancelled") params.requestId = chance.pick(IDS);
  if (chance.below(3) > 0) params._meta = createMeta(chance);
  return params;
}

function createMeta(chance: Chance): Record<string, unknown> {
  const meta: Record<string, unknown> = {
    "io.modelcontextprotocol/protocolVersion": chance.pick(VERSIONS),
    "io.modelcontextprotocol/clientInfo": { name: "random", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": chance.pick([{}, { sampling: {} }]),
  };
  if (chance.below(3) === 0) meta.progressToken = chance.pick<unknown>([1, "t", ...ODD]);
  if (chance.below(8) === 0) meta["io.modelcontextprotocol/logLevel"] = chance.pick<unknown>(["info", "loud", 1]);
  if (chance.below(8) === 0) meta[chance.pick(Object.keys(meta))] = chance.pick(ODD);
  if (chance.below(8) === 0) delete meta[chance.pick(Object.keys(meta))];
  return meta;
}
