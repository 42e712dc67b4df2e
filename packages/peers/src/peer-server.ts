import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { FIXTURES } from "./build-fixtures.js";
import type { Era, Target } from "./peer-client.js";

/** How a server carries messages. */
export type TransportKind = "stdio" | "http";

/** A fixture server and what is particular about it. */
export interface PeerServer {
  readonly name: string;
  readonly transport: TransportKind;
  readonly program: string;
  readonly eras: readonly Era[];
  /** How it answers a call to a tool that does not exist. */
  readonly unknownTool: -32602 | -32601 | "result";
  /** How it answers when a handler throws. */
  readonly thrown: "error" | "result";
  /** The eras in which a cancellation reaches the running handler. */
  readonly cancels: readonly Era[];
  /** Protocol version agreed with a legacy client of the newest legacy revision. @default "2025-11-25" */
  readonly legacyVersion?: string;
}

/** A server that is up, or can be started by a client. */
export interface RunningServer {
  readonly target: Target;
  stop(): Promise<void>;
}

const BOTH: readonly Era[] = ["modern", "legacy"];
const LEGACY: readonly Era[] = ["legacy"];

/** The servers of other implementations, with the fixture tools. */
export const OTHER_SERVERS: readonly PeerServer[] = [
  {
    name: "official server",
    transport: "stdio",
    program: "official-stdio",
    eras: BOTH,
    unknownTool: -32602,
    thrown: "result",
    cancels: BOTH,
  },
  {
    name: "official server",
    transport: "http",
    program: "official-http",
    eras: BOTH,
    unknownTool: -32602,
    thrown: "result",
    cancels: ["modern"],
  },
  {
    name: "official SDK 1 server",
    transport: "stdio",
    program: "sdk-stdio",
    eras: LEGACY,
    unknownTool: "result",
    thrown: "result",
    cancels: LEGACY,
  },
  {
    name: "official SDK 1 server, stateless",
    transport: "http",
    program: "sdk-http-stateless",
    eras: LEGACY,
    unknownTool: "result",
    thrown: "result",
    cancels: [],
  },
  {
    name: "official SDK 1 server, sessions",
    transport: "http",
    program: "sdk-http-sessions",
    eras: LEGACY,
    unknownTool: "result",
    thrown: "result",
    cancels: LEGACY,
  },
  {
    name: "tmcp",
    transport: "stdio",
    program: "tmcp-stdio",
    eras: BOTH,
    unknownTool: "result",
    thrown: "error",
    cancels: [],
    legacyVersion: "2025-06-18",
  },
  {
    name: "tmcp",
    transport: "http",
    program: "tmcp-http",
    eras: BOTH,
    unknownTool: "result",
    thrown: "error",
    cancels: ["modern"],
    legacyVersion: "2025-06-18",
  },
  {
    name: "fastmcp",
    transport: "stdio",
    program: "fastmcp-stdio",
    eras: LEGACY,
    unknownTool: -32601,
    thrown: "result",
    cancels: LEGACY,
  },
  {
    name: "fastmcp",
    transport: "http",
    program: "fastmcp-http",
    eras: LEGACY,
    unknownTool: -32601,
    thrown: "result",
    cancels: LEGACY,
  },
];

/** Makes a fixture server reachable: starts it where it listens, or says how to start it where it is a pipe. */
export async function startServer(
  server: Pick<PeerServer, "transport" | "program">,
  folder: string = FIXTURES,
): Promise<RunningServer> {
  const path = `${folder}${server.program}.js`;
  if (server.transport === "stdio") {
    return { target: { command: process.execPath, args: [path] }, stop: async () => undefined };
  }
  return startHttpProgram(path);
}

/** Starts a program that announces its endpoint in the first line of stdout. */
export async function startHttpProgram(path: string): Promise<RunningServer> {
  const child = spawn(process.execPath, [path], { stdio: ["ignore", "pipe", "ignore"] });
  const left = once(child, "exit");
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await left;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    child.stdout.resume();
    return { target: { url: JSON.parse(line).url }, stop };
  }
  throw new Error(`Expected ${path} to announce its endpoint`);
}
