import type { JsonObject } from "@mortise/core";
import type { SchemaReading } from "@mortise/core/schema";
import type { Checked } from "../schema/checked.js";
import { type CompiledCheck, ENGINE } from "./engine.js";
import { explain, type Words } from "./explain.js";
import { dropPrototypes, prepareSchema } from "./prepare-schema.js";
import type { Accepts } from "./quick-check.js";

/** What a validator needs of its surroundings. Handed in for the reason given at `verifySchema`. */
export interface ValidatorParts extends Words {
  /** The quick check of the schema, where there is one: put in front where schemas are interpreted. */
  readonly accepts: Accepts | undefined;
}

/** Builds what checks values against a schema that was read and verified before. Compiled where code may be made, else interpreted. */
export function buildValidator(reading: SchemaReading, parts: ValidatorParts): (value: unknown) => Checked {
  const { schema, plainNames } = prepareSchema(reading);
  const accepts = createCheck(schema, parts.accepts);
  return (value) => {
    try {
      const subject = plainNames ? value : dropPrototypes(value);
      if (accepts(subject)) return { ok: true, value };
      return { ok: false, issues: explain(ENGINE.Errors(schema, subject)[1], subject, parts) };
    } catch (error) {
      // A recursive schema follows the value down; a value may be deeper than the stack.
      if (error instanceof RangeError) return { ok: false, issues: [{ path: "", message: "is nested too deeply" }] };
      throw error;
    }
  };
}

function createCheck(schema: JsonObject, accepts: Accepts | undefined): Accepts {
  const compiled = tryCompile(schema);
  if (compiled?.IsAccelerated()) return (value) => compiled.Check(value);
  // The library's own fallback keeps one context for all calls, which would remember members seen in earlier values.
  return (value) => accepts?.(value) === true || ENGINE.Check(schema, value);
}

/**
 * Compiles to code, unless code generation is forbidden, or the schema is so wide, or its references so long a chain, that making
 * the code exhausts the stack.
 */
function tryCompile(schema: JsonObject): CompiledCheck | undefined {
  try {
    return ENGINE.Compile(schema);
  } catch (error) {
    if (error instanceof RangeError || error instanceof EvalError) return undefined;
    throw error;
  }
}
