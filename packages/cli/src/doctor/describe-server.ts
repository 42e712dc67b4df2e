import type { ConnectResult, MCPClient } from "@mortise/client";
import { type Finding, failed, ok, warning } from "./finding.js";

/** So many tools are named in a line for people. */
const MOST_NAMES = 30;

/** What is known of a server that could be reached. */
export interface ServerReport {
  readonly era: ConnectResult["era"];
  readonly protocolVersion: string;
  /** The revisions that it lists; `undefined` where it lists none, as legacy servers do. */
  readonly supportedVersions: readonly string[] | undefined;
  /** The way it is reached. */
  readonly transport: "stdio" | "streamable-http" | "sse";
  readonly serverInfo: ConnectResult["serverInfo"];
  readonly capabilities: ConnectResult["capabilities"];
  /** The names of its tools; `undefined` where it has none to offer, or does not list them. */
  readonly tools: readonly string[] | undefined;
  /** How long it took to connect, and to list the tools, in milliseconds. */
  readonly timing: { readonly connectMs: number; readonly toolsMs: number | undefined };
}

/** What came of checking a server. */
export interface ServerCheck {
  readonly findings: readonly Finding[];
  /** `undefined` where it could not be reached. */
  readonly report: ServerReport | undefined;
}

/** How a server is checked. */
export interface ServerCheckOptions {
  /** The longest time for one answer, in milliseconds. */
  readonly timeoutMs: number;
  readonly version: string;
}

/** Asks a connected server what it is, and says it in findings. `client` was connected in `connectMs`. */
export async function describeServer(
  client: MCPClient,
  { connected, connectMs, transport }: Pick<ServerReport, "transport"> & Connected,
): Promise<ServerCheck> {
  const { era, protocolVersion, serverInfo, capabilities } = connected;
  const supportedVersions = era === "modern" ? await readVersions(client) : undefined;
  const name =
    serverInfo === undefined ? "The server does not say its name" : `${serverInfo.name} ${serverInfo.version}`;
  const way = transport === "sse" ? "HTTP+SSE" : transport === "stdio" ? "stdio" : "Streamable HTTP";
  const listed = supportedVersions === undefined ? "" : `; it lists ${supportedVersions.join(", ")}`;
  const abilities = Object.keys(capabilities);
  const tools = await listTools(client, capabilities);
  return {
    findings: [
      ok(`${name}, reached over ${way} in ${connectMs} ms`),
      ok(`The ${era} era, revision ${protocolVersion}${listed}`),
      abilities.length === 0 ? warning("It declares no capabilities") : ok(`Capabilities: ${abilities.join(", ")}`),
      tools.finding,
    ],
    report: {
      era,
      protocolVersion,
      supportedVersions,
      transport,
      serverInfo,
      capabilities,
      tools: tools.names,
      timing: { connectMs, toolsMs: tools.ms },
    },
  };
}

/** What connecting gave. */
export interface Connected {
  readonly connected: ConnectResult;
  readonly connectMs: number;
}

/** Connects, and measures how long that takes. */
export async function connect(client: MCPClient): Promise<Connected> {
  const startedAt = performance.now();
  const connected = await client.connect();
  return { connected, connectMs: Math.round(performance.now() - startedAt) };
}

async function readVersions(client: MCPClient): Promise<readonly string[] | undefined> {
  const { supportedVersions } = await client.request("server/discover");
  return Array.isArray(supportedVersions) ? supportedVersions.filter((one) => typeof one === "string") : undefined;
}

/** The report has all of them. */
function listNames(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return names.slice(0, MOST_NAMES).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

interface ToolCheck {
  readonly finding: Finding;
  readonly names: readonly string[] | undefined;
  readonly ms: number | undefined;
}

async function listTools(client: MCPClient, { tools }: ConnectResult["capabilities"]): Promise<ToolCheck> {
  if (tools === undefined) return { finding: warning("It offers no tools"), names: undefined, ms: undefined };
  const startedAt = performance.now();
  try {
    const names = (await client.fetchTools()).map(({ name }) => name);
    const ms = Math.round(performance.now() - startedAt);
    const count = names.length === 1 ? "1 tool" : `${names.length} tools`;
    const text = `${count} in ${ms} ms${names.length === 0 ? "" : `: ${listNames(names)}`}`;
    return { finding: names.length === 0 ? warning("It has no tools at the moment") : ok(text), names, ms };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { finding: failed(`It does not list its tools: ${message}`), names: undefined, ms: undefined };
  }
}
