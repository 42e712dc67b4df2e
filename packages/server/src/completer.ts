import { type Implementation, isObject, MortiseError } from "@mortise/core";
import { expectOption } from "./check-options.js";

/** What a completer knows of the request it serves. */
export interface CompletionContext {
  /** The arguments that the user has settled already. Revisions before 2025-06-18 do not send them. */
  readonly arguments: Readonly<Record<string, string | undefined>>;
  /** Aborts when the caller cancels, leaves (on modern revisions), or the server closes. */
  readonly signal: AbortSignal;
  /** Who the caller is, as an authorization check found. */
  readonly principal: string | undefined;
  /** What the authorization check found. */
  readonly auth: unknown;
  /** Whatever the embedding program passed along with the request. */
  readonly context: unknown;
  /** Who the client says it is. For display and logs, never for decisions. */
  readonly client: Implementation | undefined;
  /** Which transport carried the request: "http", "stdio", "memory", … */
  readonly transport: string;
  /** The protocol version this request is answered in. */
  readonly protocolVersion: string;
}

/** Proposals for a value, the best first: all of them, or some with how many there are. At most 100 are sent. */
export type CompletionReturn =
  | readonly string[]
  | {
      readonly values: readonly string[];
      /** How many there are in all, as far as that is known. @default the number of `values` */
      readonly total?: number | undefined;
      /** Whether there are more than `values` holds. @default what `total` says */
      readonly hasMore?: boolean | undefined;
    }
  | null
  | undefined;

/** Proposes values for an argument that begin with, or otherwise fit, what the user typed so far. */
export type Completer = (value: string, context: CompletionContext) => CompletionReturn | PromiseLike<CompletionReturn>;

/** The completers of one prompt or template, by the argument they are for. */
export type Completers = ReadonlyMap<string, Completer>;

/** Reads the option `complete` of a definition, whose members are arguments out of `names`. Throws `invalid_options`. */
export function readCompleters(complete: unknown, names: Iterable<string>, where: string): Completers {
  if (complete === undefined) return new Map();
  expectOption(isObject(complete), `"complete" of ${where}`, "an object", complete);
  const known = new Set(names);
  const completers = new Map<string, Completer>();
  // An object, as was checked just now.
  for (const [name, completer] of Object.entries(complete as Record<string, unknown>)) {
    if (completer === undefined) continue;
    expectOption(typeof completer === "function", `"complete.${name}" of ${where}`, "a function", completer);
    if (!known.has(name))
      throw new MortiseError(
        "invalid_options",
        `Expected "complete.${name}" of ${where} to be for one of its arguments`,
      );
    completers.set(name, completer as Completer); // a function, as was checked just now
  }
  return completers;
}
