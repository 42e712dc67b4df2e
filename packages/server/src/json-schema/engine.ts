import type { JsonObject } from "@mortise/core";
import { Check, Compile, Errors } from "typebox/schema";
import type { EngineError } from "./explain.js";

/** The part of the validation library that is used. */
interface Engine {
  readonly Check: (schema: JsonObject, value: unknown) => boolean;
  readonly Compile: (schema: JsonObject) => CompiledCheck;
  readonly Errors: (schema: JsonObject, value: unknown) => [boolean, EngineError[]];
}

/** A schema that the library has read. */
export interface CompiledCheck {
  /** Whether it was compiled to code. */
  IsAccelerated(): boolean;
  Check(value: unknown): boolean;
}

/** The library's own signatures work out the type behind every schema, which costs the type checker most of its time. */
export const ENGINE: Engine = { Check, Compile, Errors } as unknown as Engine;
