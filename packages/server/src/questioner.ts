import type { JsonObject } from "@mortise/core";
import type { HandlerRun, Settled } from "./handler-run.js";
import type { InputResponse } from "./question.js";
import type { CompiledSchema } from "./schema/checked.js";

/** Deals with the questions of one run of a handler, as its era does. */
export interface Questioner {
  /** Whether the run is catching up with an earlier one. */
  readonly replaying: boolean;
  /** The valid answers of earlier rounds, by key. */
  readonly responses: Readonly<Record<string, InputResponse>>;
  /** What the handler wanted to have again. */
  readonly state: unknown;
  /** Takes down questions that belong together at once, before it returns. Rejects for all of them where one cannot be put. */
  ask(questions: readonly unknown[]): Promise<readonly unknown[]>;
  /** Does something unless an earlier run has. */
  once(key: string, work: () => unknown): Promise<unknown>;
  /** Makes the result of a handler that has ended. Rejects with an error that is to be sent. */
  conclude(settled: Settled, run: HandlerRun): Promise<JsonObject>;
}

/** What questioners are made with: handed in, since they are loaded on their own. */
export interface QuestionerTools {
  readonly compile: (schema: unknown) => CompiledSchema;
  /** Makes a result of what became of a handler, its questions aside. */
  settle(settled: Settled, run: HandlerRun): Promise<JsonObject>;
}
