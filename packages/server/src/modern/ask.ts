import { type Ask, isObject, type JsonObject, JsonRpcError, MortiseError, RPC, toCapabilities } from "@mortise/core";
import type { Call } from "../call.js";
import { digest } from "../digest.js";
import type { Ledger } from "../ledger.js";
import type { OnceEntry } from "../once.js";
import type { Questioner, QuestionerTools } from "../questioner.js";
import {
  type Answer,
  type Asked,
  type Chain,
  NO_CHAIN,
  Replay,
  type Round,
  readResponses,
  withAnswers,
} from "../replay.js";

/** Another form of the payload gets another number, so that processes of two versions do not misread each other. */
const PURPOSE = "questions.1";

/** What travels through the client, sealed. */
interface Payload {
  /** Whom and what it was made for. */
  readonly bound: string;
  readonly asked: readonly (readonly [key: string, asked: Asked])[];
  readonly open: readonly string[];
  readonly answers: readonly (readonly [key: string, answer: Answer])[];
  readonly done: readonly (readonly [key: string, entry: OnceEntry])[];
  readonly rounds: number;
  readonly explicit: boolean;
  readonly state?: unknown;
}

/**
 * Asks modern clients: in the answer, which ends the run; their answers come with a request of its own.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export async function createQuestioner(
  call: Call,
  ledger: Ledger,
  { compile, settle }: QuestionerTools,
): Promise<Questioner> {
  const chain = call.retry === undefined ? NO_CHAIN : await openChain(call);
  const responses = await readResponses(chain, compile);
  const replay = new Replay({ call, ledger, chain, responses, compile, refuse });
  return {
    get replaying() {
      return replay.replaying;
    },
    responses,
    state: chain.state,
    ask: (questions) => replay.ask(questions),
    once: (key, work) => replay.once(key, work),
    async conclude(settled, run) {
      let round: Round | undefined;
      try {
        round = await replay.close();
      } catch (error) {
        return run.toFailure(error);
      }
      return round === undefined ? settle(settled, run) : toResult(call, round);
    },
  };
}

function refuse(missing: readonly Ask[]): JsonRpcError {
  const message = `Expected the client to be able to answer ${missing.join(", ")}`;
  return new JsonRpcError(RPC.missingCapability, message, { requiredCapabilities: toCapabilities(missing) });
}

async function toResult(call: Call, { questions, next }: Round): Promise<JsonObject> {
  const requests = [...questions].map(([key, { method, project }]) => {
    const params = project(call.revision, call.capabilities) ?? {};
    return [key, Object.keys(params).length === 0 ? { method } : { method, params }] as const;
  });
  return {
    resultType: "input_required",
    ...(requests.length === 0 ? {} : { inputRequests: Object.fromEntries(requests) }),
    requestState: await sealChain(call, next),
  };
}

async function sealChain(call: Call, chain: Chain): Promise<string> {
  const { rounds, explicit, state } = chain;
  const payload: Payload = {
    bound: await bind(call),
    asked: [...chain.asked],
    open: [...chain.open],
    answers: [...chain.answers],
    done: [...chain.done],
    rounds,
    explicit,
    state,
  };
  try {
    return await call.server.sealer.seal(PURPOSE, { ...payload });
  } catch (error) {
    if (!(error instanceof MortiseError) || error.code !== "state_too_large") throw error;
    call.server.report(error, { method: call.request.method, name: call.subject?.name });
    throw new JsonRpcError(RPC.internalError, "Expected the answers so far to fit into the state of a request");
  }
}

async function openChain(call: Call): Promise<Chain> {
  const { state, responses } = call.retry ?? {};
  const answers = new Map(Object.entries(responses ?? {}).map(([key, value]) => [key, { value }]));
  // Whoever answers without having been asked, or forgot what it was told to send along, saves a round.
  if (state === undefined) return { ...NO_CHAIN, answers, fresh: new Set(answers.keys()), unasked: true };
  const bound = await bind(call);
  const accepts = (payload: JsonObject): boolean => payload.bound === bound;
  const opened = await call.server.sealer.open(PURPOSE, state, { accepts });
  if (!isObject(opened))
    throw new JsonRpcError(
      RPC.invalidParams,
      'Expected "params.requestState" to be what this server sent for this request, unchanged and in time',
    );
  const payload = opened as unknown as Payload; // sealed above: nobody else can
  return withAnswers(
    {
      asked: new Map(payload.asked),
      open: new Set(payload.open),
      answers: new Map(payload.answers),
      fresh: new Set(),
      unasked: false,
      done: new Map(payload.done),
      rounds: payload.rounds,
      explicit: payload.explicit,
      state: payload.state,
    },
    answers,
  );
}

/** Stands for who asks for what, so that state is of no use to anybody else, nor for anything else. */
function bind({ server, carrier, request, subject }: Call): Promise<string> {
  const { _meta, inputResponses, requestState, arguments: args = {}, ...params } = request.params ?? {};
  const { name } = server.info;
  return digest([name, carrier.principal ?? null, request.method, params, args, subject?.listing ?? null]);
}
