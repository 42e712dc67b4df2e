import { settleRun } from "./handler-run.js";
import type { QuestionerTools } from "./questioner.js";
import { type CompiledSchema, compileInput } from "./schema/compiled.js";

/** Makes what questioners of one era stand on. A form that is asked for again and again is compiled once. */
export function createQuestionerTools(): QuestionerTools {
  const forms = new WeakMap<object, CompiledSchema>();
  return {
    settle: settleRun,
    compile(schema) {
      const known = typeof schema === "object" && schema !== null ? forms.get(schema) : undefined;
      if (known !== undefined) return known;
      const compiled = compileInput(schema, "a form");
      if (typeof schema === "object" && schema !== null) forms.set(schema, compiled);
      return compiled;
    },
  };
}
