import type { JsonObject } from "@mortise/core";
import type { Checked } from "../schema/checked.js";
import { createQuickCheck } from "../schema/quick-check.js";
import { type CompiledCheck, ENGINE } from "./engine.js";
import { explain } from "./explain.js";
import { dropPrototypes, prepareSchema } from "./prepare-schema.js";

/** Builds what checks values against a schema that was checked and copied before. Compiled where code may be made, else interpreted. */
export function buildValidator(json: JsonObject): (value: unknown) => Checked {
  const { schema, plainNames } = prepareSchema(json);
  const accepts = createCheck(schema);
  return (value) => {
    try {
      const subject = plainNames ? value : dropPrototypes(value);
      if (accepts(subject)) return { ok: true, value };
      return { ok: false, issues: explain(ENGINE.Errors(schema, subject)[1], subject) };
    } catch (error) {
      // A recursive schema follows the value down; a value may be deeper than the stack.
      if (error instanceof RangeError) return { ok: false, issues: [{ path: "", message: "is nested too deeply" }] };
      throw error;
    }
  };
}

function createCheck(schema: JsonObject): (value: unknown) => boolean {
  const compiled = tryCompile(schema);
  if (compiled?.IsAccelerated()) return (value) => compiled.Check(value);
  const accepts = createQuickCheck(schema);
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
