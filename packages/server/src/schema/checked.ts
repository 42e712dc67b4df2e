import type { JsonObject, MortiseError } from "@mortise/core";
import type { ParamAnnotation } from "@mortise/core/schema";

/** One thing that is wrong with a value. */
export interface Issue {
  /** Where, as a program would write it: `items[0].name`; empty for the value itself. */
  readonly path: string;
  /** What was expected there, in words a model can act on. */
  readonly message: string;
}

/** What a check says: the value to go on with, or what is wrong with it. */
export type Checked =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** A schema made ready at registration. */
export interface CompiledSchema {
  /** What is published: plain JSON, frozen throughout, with every reference resolving inside it. */
  readonly json: JsonObject;
  /** Checks one value. Synchronous unless the schema itself is asynchronous or its validator is still loading. */
  readonly check: (value: unknown) => Checked | Promise<Checked>;
  /** Where `x-mcp-header` stands in it. */
  readonly annotations: readonly ParamAnnotation[];
  /**
   * Where the schema takes a closer look, which is loaded for it: resolves with why it must not be used, or with `undefined`.
   * Until then `check` waits; a schema that must not be used makes it reject.
   */
  readonly verified?: Promise<MortiseError | undefined> | undefined;
}

/** Which schema is being compiled. */
export interface SchemaSource {
  /** Arguments, whose root must be an object, or a result, which may be any JSON value. */
  readonly side: "input" | "output";
  /** For error messages, as in `input schema of tool "greet"`. */
  readonly where: string;
}
