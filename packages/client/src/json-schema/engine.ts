import type { JsonObject } from "@mortise/core";
import { Check, Compile, Errors } from "typebox/schema";

/** An error as the engine reports it. */
export interface EngineError {
  /** A JSON pointer into the value. */
  readonly instancePath: string;
  readonly message: string;
}

/** The part of the validation library that is used. */
interface Engine {
  readonly Check: (schema: JsonObject, value: unknown) => boolean;
  readonly Compile: (schema: JsonObject) => CompiledCheck;
  readonly Errors: (schema: JsonObject, value: unknown) => [boolean, EngineError[]];
}

/** A schema that the library has read. */
interface CompiledCheck {
  /** Whether it was compiled to code. */
  IsAccelerated(): boolean;
  Check(value: unknown): boolean;
}

/** The library's own signatures work out the type behind every schema, which costs the type checker most of its time. */
const ENGINE: Engine = { Check, Compile, Errors } as unknown as Engine;

/** A schema, ready to check values. */
export interface SchemaCheck {
  accepts(value: unknown): boolean;
  /** What is wrong with a value that was not accepted. */
  explain(value: unknown): readonly EngineError[];
}

/** Compiles a schema where code may be made, and interprets it elsewhere. */
export function createSchemaCheck(schema: JsonObject): SchemaCheck {
  const compiled = tryCompile(schema);
  const explain = (value: unknown): readonly EngineError[] => ENGINE.Errors(schema, value)[1];
  if (compiled?.IsAccelerated()) return { accepts: (value) => compiled.Check(value), explain };
  // The library's own fallback keeps one context for all calls, which would remember members seen in earlier values.
  return { accepts: (value) => ENGINE.Check(schema, value), explain };
}

/** Making code is forbidden in places, and exhausts the stack for a very wide schema. */
function tryCompile(schema: JsonObject): CompiledCheck | undefined {
  try {
    return ENGINE.Compile(schema);
  } catch (error) {
    if (error instanceof RangeError || error instanceof EvalError) return undefined;
    throw error;
  }
}
