import { type JsonObject, MortiseError } from "@mortise/core";
import { createOutputCheck, type OutputCheck } from "./json-schema/output-check.js";
import type { Tool } from "./tool-list.js";

/** Checks the structured content of results against the schemas of tools. Loaded with the first result of a tool that has one. */
export class OutputChecker {
  readonly #onProblem: (thrown: unknown) => void;
  /** One for each schema that was needed; `undefined` for one that cannot be used. */
  readonly #checks = new WeakMap<JsonObject, OutputCheck | undefined>();

  constructor(onProblem: (thrown: unknown) => void) {
    this.#onProblem = onProblem;
  }

  /** Throws `invalid_output` when the value is not what the tool promises. A tool without a usable schema promises nothing. */
  check({ name, outputSchema }: Tool, value: unknown): void {
    if (outputSchema === undefined) return;
    const shown = JSON.stringify(name);
    if (!this.#checks.has(outputSchema)) this.#checks.set(outputSchema, this.#create(outputSchema, shown));
    const findFault = this.#checks.get(outputSchema);
    if (findFault === undefined) return;
    if (value === undefined)
      throw new MortiseError("invalid_output", `Expected tool ${shown} to give structured content, as its schema says`);
    const fault = findFault(value);
    if (fault !== undefined)
      throw new MortiseError(
        "invalid_output",
        `Expected the structured content of tool ${shown} to fit its schema: ${fault}`,
        { cause: value },
      );
  }

  /** A schema that cannot be used is the fault of nobody who calls: it is reported, once, and nothing is checked. */
  #create(schema: JsonObject, shown: string): OutputCheck | undefined {
    try {
      return createOutputCheck(schema, `output schema of tool ${shown}`);
    } catch (error) {
      this.#onProblem(error);
      return undefined;
    }
  }
}
