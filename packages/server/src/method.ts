import type { JsonObject } from "@mortise/core";
import type { Call } from "./call.js";
import type { FeatureName } from "./features.js";
import type { Result } from "./outcome.js";
import type { CacheName } from "./read-options.js";
import type { CacheHint } from "./server-options.js";
import type { Subject } from "./subject.js";

/** One request that an era knows. */
export interface Method {
  readonly name: string;
  /** The feature that must be on; without it the method does not exist. */
  readonly feature?: FeatureName | undefined;
  /** What its carrier must have; without it the method does not exist. One that needs `announces` is answered with notices. */
  readonly needs?: "announces" | "watched" | undefined;
  /** The member of `params` that the `Mcp-Name` header repeats. */
  readonly mirrors?: string | undefined;
  /** The extension that the caller must have declared, where there is one. */
  readonly extension?: string | undefined;
  /** Which of the server's cache hints its results carry on revisions that have them. @default none */
  readonly cache?: CacheName | undefined;
  /** The cache hint of one call's result, made from the server's. @default the server's */
  hint?(call: Call, usual: CacheHint): CacheHint;
  /** The registered thing that a request is about, where the caller may use it. Read it as `call.subject`, which keeps it. */
  subject?(call: Call): Subject | undefined;
  /** Whether its handlers may ask the client. Only what can be answered with a question has it. */
  readonly asks?: true | undefined;
  /** Makes a result fit a revision that knows less than the newest one. Never changes the object it is given. */
  project?(result: JsonObject, call: Call): JsonObject;
  /** Reads the params. Throws a `JsonRpcError` (-32602) naming the first member that is wrong. */
  parse(params: JsonObject | undefined, call: Call): unknown;
  /** Does the work. The input is what `parse` returned. */
  run(call: Call, input: unknown): Result | Promise<Result>;
}

/** Writes down a method with the type of its input, which the table then forgets. */
export function defineMethod<Input>(method: {
  readonly name: string;
  readonly feature?: FeatureName;
  readonly needs?: "announces" | "watched";
  readonly mirrors?: string;
  readonly cache?: CacheName;
  hint?(call: Call, usual: CacheHint): CacheHint;
  subject?(call: Call): Subject | undefined;
  readonly asks?: true;
  project?(result: JsonObject, call: Call): JsonObject;
  parse(params: JsonObject | undefined, call: Call): Input;
  run(call: Call, input: Input): Result | Promise<Result>;
}): Method {
  return method as Method; // `run` only ever receives what the same entry's `parse` returned
}

/** A table of methods by name. */
export function createMethodTable(methods: readonly Method[]): ReadonlyMap<string, Method> {
  return new Map(methods.map((method) => [method.name, method]));
}
