import { CommandFailure, EXIT } from "../command-failure.js";
import type { HostRow } from "./host-table.js";
import { type Machine, readVariable } from "./machine.js";

/** What is to be registered, as the command line says it. */
export interface RegistrationRequest {
  /** Variables for the server: `NAME`, whose value the host finds, or `NAME=value`, which is written as it is. */
  readonly env: readonly string[];
  /** The address of a server that runs already; without one, the host starts a command. */
  readonly http?: string | undefined;
  /** Whether values may be looked up for the file; where it is only shown, they are not. */
  readonly reveal: boolean;
}

/** A value that VS Code asks the user for, once. */
export interface PromptInput {
  readonly type: "promptString";
  readonly id: string;
  readonly description: string;
  readonly password: true;
}

/** The entry of a server in a host's file. */
export interface ServerEntry {
  readonly type?: "stdio" | "http";
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly url?: string;
  readonly serverUrl?: string;
}

/** What goes into a host's file. */
export interface Registration {
  readonly entry: ServerEntry;
  readonly inputs: readonly PromptInput[];
  /** Whether the file will hold a value that may be secret. */
  readonly holdsValues: boolean;
}

const NPX = ["npx", "-y", "mortise", "mcp"] as const;
const VARIABLE = /^([A-Za-z_][A-Za-z0-9_]*)(?:=(.*))?$/s;

/** Makes the entry for a host. Throws `CommandFailure` for what the host cannot do, and for variables without a value. */
export function createRegistration(host: HostRow, request: RegistrationRequest, machine: Machine): Registration {
  const variables = request.env.map(readAssignment);
  if (request.http !== undefined) return createHttpRegistration(host, request.http, variables.length);
  const [command, ...args] = host.needsInterpreter && machine.platform === "win32" ? ["cmd", "/c", ...NPX] : [...NPX];
  const values = variables.map(
    ({ name, value }) => [name, value ?? findValue(host, name, { machine, reveal: request.reveal })] as const,
  );
  const inputs = variables.flatMap(({ name, value }) =>
    value === undefined && host.variables === "prompt" ? [createInput(name)] : [],
  );
  return {
    entry: {
      ...(host.typed && { type: "stdio" }),
      command: command ?? "npx",
      args,
      ...(values.length > 0 && { env: Object.fromEntries(values) }),
    },
    inputs,
    holdsValues: variables.some(({ value }) => value !== undefined || host.variables === undefined),
  };
}

function createHttpRegistration(host: HostRow, address: string, variables: number): Registration {
  if (host.address === undefined) {
    throw new CommandFailure(
      `${host.label} keeps no addresses in its file: add the address under Connectors in its settings, or leave out "--http"`,
      EXIT.usage,
    );
  }
  if (variables > 0)
    throw new CommandFailure('Expected "--env" only without "--http": a running server has its own', EXIT.usage);
  const url = readAddress(address);
  const entry: ServerEntry = host.address === "url" ? { url } : { serverUrl: url };
  return { entry: host.typed ? { type: "http", ...entry } : entry, inputs: [], holdsValues: false };
}

/** Checks the address of a server, and gives it as it came. Throws `CommandFailure`. */
function readAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw new CommandFailure('Expected "--http" to be an address that begins with http:// or https://', EXIT.usage);
  if (url.username !== "" || url.password !== "")
    throw new CommandFailure('Expected the address of "--http" to hold no user name or password', EXIT.usage);
  return address;
}

function readAssignment(text: string): { readonly name: string; readonly value: string | undefined } {
  const [, name, value] = VARIABLE.exec(text) ?? [];
  // The text is not repeated: it may be a key that was pasted without its name.
  if (name === undefined) throw new CommandFailure('Expected "--env" to be NAME or NAME=value', EXIT.usage);
  if (value?.includes("\0")) throw new CommandFailure(`Expected the value of ${name} to be free of NUL`, EXIT.usage);
  return { name, value };
}

function findValue(host: HostRow, name: string, from: { readonly machine: Machine; readonly reveal: boolean }): string {
  if (host.variables !== undefined) return host.refer(name);
  if (!from.reveal) return `<the value of ${name}>`;
  const value = readVariable(from.machine, name);
  if (value !== undefined) return value;
  throw new CommandFailure(
    `${host.label} takes values only from its file, and ${name} is not set here: set it, or give "--env ${name}=value"`,
  );
}

function createInput(name: string): PromptInput {
  return { type: "promptString", id: name, description: `${name} for Mortise`, password: true };
}
