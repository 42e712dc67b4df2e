import { invalidOptions, isObject, type JsonObject, MortiseError } from "@mortise/core";
import type { HeaderInput } from "../header-list.js";
import type { ClientOptions, HttpOptions } from "../options.js";
import { type ConfigVariables, createExpander, type Expand } from "./placeholders.js";

/**
 * The part of a host's configuration that lists servers: `mcpServers` as Claude Desktop, Claude Code, Cursor and Windsurf
 * write it, `servers` of VS Code's `mcp.json`, or `mcp.servers` of its settings.
 */
export interface ServersConfig {
  readonly mcpServers?: Readonly<Record<string, unknown>> | undefined;
  readonly servers?: Readonly<Record<string, unknown>> | undefined;
  readonly mcp?: { readonly servers?: Readonly<Record<string, unknown>> | undefined } | undefined;
}

type CheckHeaders = (headers: HeaderInput | undefined) => void;

/** What the values of an entry are read with. */
interface EntryMeans {
  readonly expand: Expand;
  readonly checkHeaders: CheckHeaders;
}

/** How hosts name their transports, and how a client then reaches the server. */
const TYPES: ReadonlyMap<string, "process" | "auto" | "sse"> = new Map([
  ["stdio", "process"],
  ["http", "auto"],
  ["streamable-http", "auto"],
  ["streamableHttp", "auto"],
  ["sse", "sse"],
]);

/**
 * Reads the servers of a configuration: client options by name, with placeholders filled in. Entries that are switched off
 * are left out, unread. `checkHeaders` throws for headers that cannot be sent. Throws `invalid_options` naming the server
 * and the member that is wrong, and never its value.
 */
export function readServers(
  config: unknown,
  variables: ConfigVariables,
  checkHeaders: CheckHeaders,
): Map<string, ClientOptions> {
  const expand = createExpander(variables);
  const servers = new Map<string, ClientOptions>();
  for (const [name, entry] of Object.entries(findServers(config))) {
    const label = `server ${JSON.stringify(name)}`;
    if (!isObject(entry)) throw invalidOptions(`${label} to be an object`);
    if (entry.disabled !== true && entry.enabled !== false)
      servers.set(name, new EntryReader(label, entry, { expand, checkHeaders }).read());
  }
  return servers;
}

function findServers(config: unknown): JsonObject {
  const root = isObject(config) ? config : {};
  const settings = isObject(root.mcp) ? root.mcp : {};
  const found = [root.mcpServers, root.servers, settings.servers, root["mcp.servers"]].find(
    (value) => value !== undefined,
  );
  if (!isObject(found))
    throw invalidOptions('"mcpServers", "servers" or "mcp.servers" to be an object of servers by name');
  return found;
}

class EntryReader {
  readonly #label: string;
  readonly #entry: JsonObject;
  readonly #expand: Expand;
  readonly #checkHeaders: CheckHeaders;

  constructor(label: string, entry: JsonObject, { expand, checkHeaders }: EntryMeans) {
    this.#label = label;
    this.#entry = entry;
    this.#expand = expand;
    this.#checkHeaders = checkHeaders;
  }

  read(): ClientOptions {
    const { command } = this.#entry;
    const address = ["url", "serverUrl", "httpUrl"].find((name) => this.#entry[name] !== undefined);
    const type = this.#readType() ?? (address === undefined ? "process" : "auto");
    if (command !== undefined && address !== undefined)
      throw this.#wrong("", `one with a "command" or an address, not both`);
    if (type === "process") return this.#readProcess();
    if (address === undefined) throw this.#wrong("", 'one with a "url"');
    return this.#readHttp(address, type);
  }

  #readType(): "process" | "auto" | "sse" | undefined {
    const { type, transport = type } = this.#entry;
    if (transport === undefined) return undefined;
    const known = typeof transport === "string" ? TYPES.get(transport) : undefined;
    if (known === undefined) throw this.#wrong("type", `one of ${[...TYPES.keys()].join(", ")}`);
    return known;
  }

  #readHttp(address: string, transport: "auto" | "sse"): HttpOptions {
    const url = this.#readText(address) ?? "";
    const { protocol } = URL.canParse(url) ? new URL(url) : { protocol: "" };
    if (protocol !== "http:" && protocol !== "https:")
      throw this.#wrong(address, "an absolute http: or https: address");
    const headers = this.#readRecord("headers", (value, place) =>
      typeof value === "string" ? this.#expand(value, place) : undefined,
    );
    try {
      this.#checkHeaders(headers);
    } catch (error) {
      if (error instanceof MortiseError) throw new MortiseError(error.code, `${error.message}, in ${this.#label}`);
      throw error;
    }
    return { url, headers, transport };
  }

  #readProcess(): ClientOptions {
    const { command, args, envFile } = this.#entry;
    if (typeof command !== "string" || command === "") throw this.#wrong("", 'one with a "url" or a "command"');
    if (envFile !== undefined) throw this.#wrong("envFile", 'left out: list what the server needs in "env"');
    if (args !== undefined && !Array.isArray(args)) throw this.#wrong("args", "an array of strings");
    return {
      command: this.#readText("command") ?? "",
      args: args?.map((value: unknown, index) => this.#fill(value, `args[${index}]`)),
      env: this.#readRecord("env", (value, place) => {
        // VS Code takes numbers, and null for a variable that is not set.
        if (typeof value === "number" || value === null) return value === null ? null : String(value);
        return typeof value === "string" ? this.#withoutNul(this.#expand(value, place), place) : undefined;
      }),
      cwd: this.#readText("cwd"),
    };
  }

  #readText(member: string): string | undefined {
    const value = this.#entry[member];
    return value === undefined ? undefined : this.#fill(value, member);
  }

  #fill(value: unknown, member: string): string {
    if (typeof value !== "string") throw this.#wrong(member, "a string");
    const place = this.#place(member);
    return this.#withoutNul(this.#expand(value, place), place);
  }

  #readRecord(
    member: string,
    read: (value: unknown, place: string) => string | null | undefined,
  ): Record<string, string> | undefined {
    const record = this.#entry[member];
    if (record === undefined) return undefined;
    if (!isObject(record)) throw this.#wrong(member, "an object of strings");
    const entries = Object.entries(record).map(([name, value]) => {
      const text = read(value, this.#place(`${member}.${name}`));
      if (text === undefined) throw this.#wrong(`${member}.${name}`, "a string");
      return [name, text] as const;
    });
    return Object.fromEntries(entries.filter((entry): entry is readonly [string, string] => entry[1] !== null));
  }

  /** No program takes one, and what refuses it otherwise quotes the value. */
  #withoutNul(text: string, place: string): string {
    if (text.includes("\0")) throw invalidOptions(`${place} to be a text without NUL`);
    return text;
  }

  #place(member: string): string {
    return `"${member}" of ${this.#label}`;
  }

  #wrong(member: string, expected: string): MortiseError {
    return invalidOptions(`${member === "" ? this.#label : this.#place(member)} to be ${expected}`);
  }
}
