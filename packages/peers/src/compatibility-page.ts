import { readFileSync } from "node:fs";
import { agreeEra, EXERCISED } from "./behaviour-suite.js";
import { renderFeatureTables } from "./feature-table.js";
import { SERVER_FEATURES } from "./features.js";
import { MORTISE_CLIENTS } from "./mortise-client.js";
import { MORTISE_SERVERS } from "./mortise-servers.js";
import { OTHER_CLIENTS } from "./other-clients.js";
import type { PeerClient } from "./peer-client.js";
import { OTHER_SERVERS, type PeerServer } from "./peer-server.js";

const PACKAGES = [
  "@modelcontextprotocol/client",
  "@modelcontextprotocol/server",
  "@modelcontextprotocol/node",
  "@modelcontextprotocol/sdk",
  "@modelcontextprotocol/server-everything",
  "@modelcontextprotocol/server-filesystem",
  "@modelcontextprotocol/server-memory",
  "fastmcp",
  "tmcp",
  "@tmcp/transport-stdio",
  "@tmcp/transport-http",
];

/** The page that says what Mortise was tried with. Its tables come from the same data as the tests, which all pass. */
export function renderCompatibilityPage(): string {
  return `${[
    "# What Mortise works with",
    "",
    "Every row is a test that runs real programs over real pipes and loopback sockets, and passes.",
    "The tests are in `packages/peers` and `packages/peers-inspector`. This page is checked against them; after a change run",
    "`pnpm exec vitest run --project peers -u`.",
    "",
    "## Versions",
    "",
    ...table(["package", "version"], [...PACKAGES.map((name) => [name, readVersion(name)]), INSPECTOR]),
    "",
    "## Other clients with a Mortise server",
    "",
    `Exercised: ${EXERCISED}; ping on legacy connections.`,
    "",
    ...renderPairs(OTHER_CLIENTS, MORTISE_SERVERS),
    "",
    "## Every feature of a Mortise server with the official clients",
    "",
    `Exercised: ${SERVER_FEATURES.map(({ name }) => name).join(", ")}. All of it passes, except for what a row names.`,
    "",
    ...renderFeatureTables(table),
    "",
    "## The Mortise client with other servers",
    "",
    `Exercised: ${EXERCISED}; ping.`,
    "",
    ...renderPairs(MORTISE_CLIENTS, OTHER_SERVERS),
    "",
    "## The Mortise client with the reference servers",
    "",
    ...table(["server", "transport", "era", "exercised", "result"], REFERENCE_ROWS),
    "",
    "## The Mortise client with servers written by hand",
    "",
    ...table(["server", "exercised", "result"], HAND_WRITTEN_ROWS),
    "",
    "## The Inspector's command line with a Mortise server",
    "",
    ...table(["server", "transport", "era", "exercised", "result"], renderInspectorRows()),
    "",
    "## What differs between peers",
    "",
    ...DIFFERENCES.map((line) => `- ${line}`),
  ].join("\n")}\n`;
}

const REFERENCE_ROWS = [
  [
    "server-everything",
    "stdio",
    "legacy",
    "list, call, structured output, progress, giving up, wrong arguments",
    "passes",
  ],
  ["server-everything", "http with sessions", "legacy", "the same", "passes"],
  ["server-everything", "HTTP+SSE", "legacy", "the same", "passes"],
  [
    "server-everything",
    "stdio, http with sessions, HTTP+SSE",
    "legacy",
    "resources, templates, prompts, completion, log level, watched resources, forms, pages, sampling, roots",
    "passes",
  ],
  ["server-filesystem", "stdio", "legacy", "list a folder, read, write, a path outside the folder", "passes"],
  ["server-memory", "stdio", "legacy", "write and read the graph", "passes"],
];

const HAND_WRITTEN_ROWS = [
  [
    "new session id with every answer, errors inside `result`, failures marked on a block",
    "connect, call, fail",
    "passes",
  ],
  ["202 without an id, plain errors, open to every page", "the same", "passes"],
];

const DIFFERENCES = [
  "The official clients (both lines) lose a progress notice that arrives in one block of bytes with the result, as happens on a pipe. A handler whose last notice matters leaves a moment before it returns.",
  "The official version 1 SDK and tmcp answer an unknown tool with an error result; Mortise and the official server answer with `-32602`, and fastmcp with `-32601`.",
  "tmcp answers a handler that throws with `-32603` instead of an error result, and agrees on 2025-06-18 at most in the handshake.",
  "The official clients do not open a new session by themselves when theirs is gone: the call fails with the status 404, and a new connection works.",
  "The official client shows a resource that does not exist as `-32602`, also where the revision has `-32002` for it.",
  "On HTTP without sessions a legacy `notifications/cancelled` names no session, so it cannot reach the call; the client gives the call up on its side. tmcp tells its handlers about a cancellation only over HTTP on modern revisions.",
  "The Inspector 2.12.0 declares Node 22.19 or later; its command line runs on Node 20.20 too.",
];

const INSPECTOR = ["@modelcontextprotocol/inspector", readInspectorVersion()];

function renderPairs(clients: readonly PeerClient[], servers: readonly PeerServer[]): string[] {
  const rows = clients.flatMap((client) =>
    servers.flatMap((server) => {
      const era = agreeEra(client, server);
      return era === undefined ? [] : [[client.name, server.name, server.transport, era, "passes"]];
    }),
  );
  return table(["client", "server", "transport", "era agreed", "result"], rows);
}

function renderInspectorRows(): string[][] {
  return MORTISE_SERVERS.flatMap(({ name, transport, eras }) =>
    eras.map((era) => [name, transport, era, "tools/list --strict, tools/call, a failing tool", "passes"]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
}

function readVersion(name: string): string {
  return readManifest(new URL(`../node_modules/${name}/package.json`, import.meta.url)).version;
}

/** From the manifest that pins it, since the Inspector itself need not be installed. */
function readInspectorVersion(): string {
  const { dependencies } = readManifest(new URL("../../peers-inspector/package.json", import.meta.url));
  return dependencies["@modelcontextprotocol/inspector"] ?? "";
}

function readManifest(url: URL): { version: string; dependencies: Record<string, string> } {
  return JSON.parse(readFileSync(url, "utf8"));
}
