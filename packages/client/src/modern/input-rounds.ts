import { isObject, type JsonObject, MortiseError } from "@mortise/core";
import { type Answering, type Desk, prepareAnswer } from "../answer-question.js";
import type { RequestControl } from "../era.js";
import { waitFor } from "./wait-for.js";

/** Requests that a server may answer with questions. https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#supported-requests */
const ASKING: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"]);
/** The first wait before asking again a server that needs nothing but time, in milliseconds. Doubles with every such round. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

/** A request whose answer asks for something. */
export interface InputRounds {
  readonly method: string;
  readonly params: JsonObject | undefined;
  readonly control: RequestControl;
  readonly desk: Desk;
  /** How often the request is sent again at most. */
  readonly maxRounds: number;
  /** Sends the request again, under another id, and gives its result, whatever kind it is. */
  send(params: JsonObject): Promise<JsonObject>;
}

/**
 * Answers what a server asks, and sends the request again with the answers, until it is complete. Gives the complete result.
 * Throws `input_required` for what cannot be answered, or is asked too often, and `invalid_response` where nothing may be asked.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#client-requirements-basic-workflow
 */
export async function answerRounds(first: JsonObject, rounds: InputRounds): Promise<JsonObject> {
  const { method, control, desk, maxRounds, send } = rounds;
  if (!ASKING.has(method))
    throw new MortiseError("invalid_response", `Expected "${method}" to be answered without questions`, {
      cause: first,
    });
  const { inputResponses: _, requestState: __, ...params } = rounds.params ?? {};
  let result = first;
  let pause = FIRST_PAUSE_MS;
  for (let round = 1; result.resultType === "input_required"; round += 1) {
    if (round > maxRounds)
      throw new MortiseError(
        "input_required",
        `The server still needs input after ${maxRounds} rounds of "${method}"`,
        {
          cause: result,
        },
      );
    const { questions, state } = readRound(result, method, desk);
    let inputResponses: JsonObject | undefined;
    if (questions.size > 0) {
      inputResponses = await waitFor(control, (signal) => answerAll(questions, signal));
      pause = FIRST_PAUSE_MS;
    } else {
      const ms = pause;
      await waitFor(control, (signal) => sleep(ms, signal));
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
    result = await send({
      ...params,
      ...(inputResponses === undefined ? {} : { inputResponses }),
      ...(state === undefined ? {} : { requestState: state }),
    });
  }
  return result;
}

interface Round {
  readonly questions: ReadonlyMap<string, Answering>;
  readonly state: string | undefined;
}

/** Reads all that is asked before anybody is asked anything: nobody should answer in vain. */
function readRound(result: JsonObject, method: string, desk: Desk): Round {
  const { inputRequests, requestState } = result;
  if (inputRequests !== undefined && !isObject(inputRequests)) throw malformed(method, '"inputRequests"', result);
  if (requestState !== undefined && typeof requestState !== "string") throw malformed(method, '"requestState"', result);
  const questions = new Map<string, Answering>();
  for (const [key, question] of Object.entries(inputRequests ?? {})) {
    if (!isObject(question) || typeof question.method !== "string") throw malformed(method, "every question", result);
    const params = isObject(question.params) ? question.params : {};
    questions.set(key, prepare(question.method, params, { desk, result }));
  }
  if (questions.size === 0 && requestState === undefined)
    throw new MortiseError("input_required", `The server needs input for "${method}", and does not say which`, {
      cause: result,
    });
  return { questions, state: requestState };
}

function prepare(method: string, params: JsonObject, { desk, result }: { desk: Desk; result: JsonObject }): Answering {
  try {
    return prepareAnswer(method, params, desk);
  } catch (error) {
    if (!(error instanceof MortiseError)) throw error;
    throw new MortiseError(error.code, error.message, { cause: result });
  }
}

/** Asks all at once. When one fails, nobody needs the others any more. */
async function answerAll(questions: ReadonlyMap<string, Answering>, signal: AbortSignal): Promise<JsonObject> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  try {
    const answers = await Promise.all(
      [...questions].map(async ([key, answer]) => [key, await answer(either)] as const),
    );
    return Object.fromEntries(answers);
  } catch (error) {
    failed.abort(error);
    throw error;
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}

function malformed(method: string, what: string, cause: JsonObject): MortiseError {
  return new MortiseError("invalid_response", `Expected ${what} in the answer to "${method}" to be well-formed`, {
    cause,
  });
}
