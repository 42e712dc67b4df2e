import {
  type Ask,
  isJsonRpcError,
  type JsonObject,
  JsonRpcError,
  LONGEST_DELAY,
  MCPTimeoutError,
  RPC,
} from "@mortise/core";
import type { Call } from "../call.js";
import type { HandlerRun, Settled } from "../handler-run.js";
import type { Ledger } from "../ledger.js";
import { DoneOnce } from "../once.js";
import { type Prepared, prepareQuestion } from "../prepare-question.js";
import type { InputResponse } from "../question.js";
import type { Questioner, QuestionerTools } from "../questioner.js";
import {
  type Answer,
  type Chain,
  createGiveUp,
  MOST_ROUNDS,
  NO_CHAIN,
  Replay,
  type Round,
  readResponses,
  requireAbilities,
  withAnswers,
} from "../replay.js";

/** What is handed in besides. */
interface LegacyTools extends QuestionerTools {
  /** Whether handlers run again instead of waiting. */
  readonly replay: boolean;
  /** How long an answer may take, in milliseconds. */
  readonly timeout: number;
  createLedger(call: Call, questioner: (ledger: Ledger) => Questioner): Ledger;
}

/** Asks legacy clients: by requests of the server's own, while the call goes on. */
export async function createQuestioner(call: Call, ledger: Ledger, tools: LegacyTools): Promise<Questioner> {
  return tools.replay
    ? createReplaying({ call, ledger, tools }, { chain: NO_CHAIN, responses: {} })
    : createWaiting({ call, ledger, tools });
}

/** One run of a handler. */
interface Turn {
  readonly call: Call;
  readonly ledger: Ledger;
  readonly tools: LegacyTools;
}

/** A run that is over. */
interface Ended {
  readonly settled: Settled;
  readonly run: HandlerRun;
}

/** What the runs before it brought. */
interface Brought {
  readonly chain: Chain;
  readonly responses: Readonly<Record<string, InputResponse>>;
}

/** The handler waits for each answer. Only if it asks by returning, it runs again. */
function createWaiting(turn: Turn): Questioner {
  const { call, ledger, tools } = turn;
  const once = new DoneOnce(new Map());
  const end = new AbortController();
  const put = async (question: Prepared): Promise<unknown> => {
    for (let round = 1; round <= MOST_ROUNDS; round += 1) {
      const checked = await question.read(await putQuestion(turn, question, end.signal));
      if (checked.ok) return checked.value;
    }
    throw ledger.receive(createGiveUp([question.key ?? question.method]));
  };
  return {
    replaying: false,
    responses: {},
    state: undefined,
    async ask(questions) {
      const prepared = questions.map((question) => prepareQuestion(question, tools.compile));
      requireAbilities(call, prepared, (needs) => refuse(ledger, needs));
      return Promise.all(prepared.map(put));
    },
    once: (key, work) => once.run(key, work),
    conclude(settled, run) {
      end.abort(new DOMException("The handler ended before the question was answered", "AbortError"));
      if (ledger.demand === undefined) return tools.settle(settled, run);
      const replay = createReplay(turn, { chain: { ...NO_CHAIN, done: once.entries }, responses: {} });
      return goOn(turn, replay, { settled, run });
    },
  };
}

/** The handler runs again with the answers, as it does for clients that are asked in answers. */
function createReplaying(turn: Turn, brought: Brought): Questioner {
  const { chain, responses } = brought;
  const replay = createReplay(turn, brought);
  return {
    get replaying() {
      return replay.replaying;
    },
    responses,
    state: chain.state,
    ask: (questions) => replay.ask(questions),
    once: (key, work) => replay.once(key, work),
    conclude: (settled, run) => goOn(turn, replay, { settled, run }),
  };
}

function createReplay({ call, ledger, tools }: Turn, brought: Brought): Replay {
  return new Replay({ call, ledger, ...brought, compile: tools.compile, refuse: (needs) => refuse(ledger, needs) });
}

/** Puts what a run has left open, and runs the handler again. */
async function goOn(turn: Turn, replay: Replay, { settled, run }: Ended): Promise<JsonObject> {
  const { call, ledger, tools } = turn;
  let round: Round | undefined;
  let chain = NO_CHAIN;
  try {
    round = await replay.close();
    if (round !== undefined) chain = withAnswers(round.next, await putAll(turn, round.questions));
  } catch (error) {
    return run.toFailure(isJsonRpcError(error) ? ledger.receive(error) : error);
  }
  if (round === undefined) return tools.settle(settled, run);
  const responses = await readResponses(chain, tools.compile);
  const next = tools.createLedger(call, (own) => createReplaying({ ...turn, ledger: own }, { chain, responses }));
  call.ledger = next;
  return next.conclude(await runAgain(run), run);
}

async function runAgain(run: HandlerRun): Promise<Settled> {
  try {
    return { returned: await run.again() };
  } catch (error) {
    return { error };
  }
}

/** A handler that waits for an answer is told of an error in its place; one that has ended cannot be. */
async function putAll(turn: Turn, questions: ReadonlyMap<string, Prepared>): Promise<ReadonlyMap<string, Answer>> {
  const put = async ([key, question]: readonly [string, Prepared]): Promise<readonly [string, Answer]> => {
    try {
      return [key, { value: await putQuestion(turn, question) }];
    } catch (error) {
      if (turn.ledger.demand !== undefined || turn.call.cancelled) throw error;
      return [key, { error }];
    }
  };
  return new Map(await Promise.all([...questions].map(put)));
}

/** Resolves with the answer as it comes. Rejects with what the client says instead, or once it is no longer needed. */
async function putQuestion({ call, ledger, tools }: Turn, question: Prepared, end?: AbortSignal): Promise<unknown> {
  const params = question.project(call.revision, call.capabilities);
  if (params === undefined || call.carrier.request === undefined) throw refuse(ledger, question.needs);
  const limit = createLimit(tools.timeout);
  const signals = [call.signal, limit.signal, ...(end === undefined ? [] : [end])];
  try {
    return await call.carrier.request(question.method, params, { call, signal: AbortSignal.any(signals) });
  } catch (error) {
    throw isJsonRpcError(error) ? ledger.receive(error) : error;
  } finally {
    limit.clear();
  }
}

/** Aborts after so many milliseconds. Does not keep a process alive. */
function createLimit(timeoutMs: number): { readonly signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const expire = (): void =>
    controller.abort(new MCPTimeoutError(`Expected an answer within ${timeoutMs} ms`, { timeoutMs }));
  const timer: unknown = setTimeout(expire, Math.min(timeoutMs, LONGEST_DELAY));
  if (typeof timer === "object" && timer !== null && "unref" in timer && typeof timer.unref === "function")
    timer.unref();
  return { signal: controller.signal, clear: () => clearTimeout(timer as ReturnType<typeof setTimeout>) }; // made just now
}

/** What these revisions have no number for: tools show it to the model, and the rest says that the request is at fault. */
function refuse(ledger: Ledger, needs: readonly Ask[]): JsonRpcError {
  return ledger.receive(
    new JsonRpcError(RPC.invalidParams, `Expected a client that can answer ${needs.join(", ")} in this form`),
  );
}
