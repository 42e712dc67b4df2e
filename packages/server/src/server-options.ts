import type { Icon } from "@mortise/core";
import type { Bus } from "./bus.js";
import type { PromptEntry } from "./prompt-definition.js";
import type { CacheName } from "./read-options.js";
import type { ResourceEntry } from "./resource-definition.js";
import type { FailureContext } from "./server-core.js";
import type { StateOptions } from "./state-options.js";
import type { ToolEntry } from "./tool-definition.js";

/** How long and by whom a result may be kept. https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching */
export interface CacheHint {
  /** How long a client may take the result for fresh, in milliseconds. `0` means not at all. */
  readonly ttlMs: number;
  /** Whether the result is the same for every caller. */
  readonly scope: "public" | "private";
}

/** What an `MCPServer` is made of. */
export interface ServerOptions {
  /** The server's name, for programs. */
  readonly name: string;
  /** The server's own version. */
  readonly version: string;
  /** A name for people. */
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly websiteUrl?: string | undefined;
  readonly icons?: readonly Icon[] | undefined;
  /** How to use the server, for the model. */
  readonly instructions?: string | undefined;
  /** Prompts to register at once. More can follow with `prompt()`. */
  readonly prompts?: readonly PromptEntry[] | undefined;
  /** Resources and templates to register at once. More can follow with `resource()`. */
  readonly resources?: readonly ResourceEntry[] | undefined;
  /** Tools to register at once. More can follow with `tool()`. */
  readonly tools?: readonly ToolEntry[] | undefined;
  /**
   * Protocol versions to serve, the preferred first: a client that asks for a legacy version that is not served is offered
   * the first legacy one. Transports can narrow this. @default every version, "2026-07-28" down to "2024-11-05"
   */
  readonly protocolVersions?: readonly string[] | undefined;
  /** How many entries a page of a list holds. @default all of them */
  readonly pageSize?: number | undefined;
  /** Cache hints on modern results, by what is listed or read. Results of authorized callers are always private. @default 60 000 ms, public */
  readonly cache?: Readonly<Partial<Record<CacheName, Partial<CacheHint> | undefined>>> | undefined;
  /** Whether modern results name the server in their `_meta`. @default true */
  readonly stampServerInfo?: boolean | undefined;
  /** How arguments that break a tool's schema are answered: as a result the model can read, or as error -32602. @default "result" */
  readonly invalidArguments?: "result" | "protocol-error" | undefined;
  /** How state is sealed that travels through clients: the answers of earlier rounds, signed session ids. */
  readonly state?: StateOptions | undefined;
  /**
   * On which revisions a handler runs again, from its beginning, with the answers to its questions: only on those that leave
   * no other way, or on all, so that a handler is the same everywhere. @default "modern"
   */
  readonly replay?: "modern" | "always" | undefined;
  /** How long a client of a legacy revision may take to answer a question, in milliseconds. @default 600_000 */
  readonly askTimeout?: number | undefined;
  /**
   * Carries change notices, and what else the processes of one server have to tell each other. Give one that reaches them all
   * where several serve the same clients. @default one within this process
   */
  readonly bus?: Bus | undefined;
  /** Departures from the specification, for peers that need them. */
  readonly lenient?:
    | {
        /** Answers `ping` on modern revisions, which removed it. @default false */ readonly modernPing?:
          | boolean
          | undefined;
      }
    | undefined;
  /** Receives every failure that is not the peer's to know: what a handler threw, output that broke its schema. @default silent */
  readonly onError?: ((error: unknown, about: FailureContext) => void) | undefined;
  /** Receives what works, but not as well as it should. @default console.warn */
  readonly onWarning?: ((message: string) => void) | undefined;
}
