import { type Ask, isJsonRpcError, type JsonObject, JsonRpcError, MortiseError, RPC } from "@mortise/core";
import type { Call } from "./call.js";
import type { InputRequired } from "./input-required.js";
import { toJsonValue } from "./json-value.js";
import type { Ledger } from "./ledger.js";
import { DoneOnce, type OnceEntry } from "./once.js";
import { type CompileForm, type Prepared, prepareQuestion, readAnswer } from "./prepare-question.js";
import type { InputResponse } from "./question.js";
import { hashQuestion } from "./question-hash.js";

/** What is kept of a question that was put. */
export interface Asked {
  /** Tells whether a later run asks the same. */
  readonly hash: string;
  /** How its answer is read, where the handler does not ask again but looks for the answer. */
  readonly ask?: Ask | undefined;
  /** The fields of its form, likewise. */
  readonly form?: JsonObject | undefined;
}

/** An answer as it came, or the error that came in its place. */
export type Answer = { readonly value: unknown } | { readonly error: unknown };

/** What earlier runs leave to the next. */
export interface Chain {
  readonly asked: ReadonlyMap<string, Asked>;
  /** What was put in the last round. */
  readonly open: ReadonlySet<string>;
  readonly answers: ReadonlyMap<string, Answer>;
  /** Which of the answers came with this round. */
  readonly fresh: ReadonlySet<string>;
  /** Whether answers are taken for questions nobody knows to have been put: what a client gives without being asked. */
  readonly unasked: boolean;
  readonly done: ReadonlyMap<string, OnceEntry>;
  /** How many rounds have brought nothing. */
  readonly rounds: number;
  /** Whether the handler asked by returning, and so does not repeat itself. */
  readonly explicit: boolean;
  readonly state: unknown;
}

/** What a first run finds. */
export const NO_CHAIN: Chain = {
  asked: new Map(),
  open: new Set(),
  answers: new Map(),
  fresh: new Set(),
  unasked: false,
  done: new Map(),
  rounds: 0,
  explicit: false,
  state: undefined,
};

/** What a run has to ask. */
export interface Round {
  readonly questions: ReadonlyMap<string, Prepared>;
  readonly next: Chain;
}

/** What a replay stands on. */
export interface ReplayOptions {
  readonly call: Call;
  readonly ledger: Ledger;
  readonly chain: Chain;
  /** The answers that a handler finds which asked by returning. */
  readonly responses: Readonly<Record<string, InputResponse>>;
  readonly compile: CompileForm;
  /** Makes the error for a question that this client cannot be put. */
  refuse(needs: readonly Ask[]): JsonRpcError;
}

/** A question, and what is known of its answer. */
interface Found {
  readonly key: string;
  readonly question: Prepared;
  readonly answer: Answer | undefined;
}

/** So many rounds may pass without an answer that is of use. */
export const MOST_ROUNDS = 8;

/** One run of a handler that finds the answers of earlier ones, and ends where it asks something new. */
export class Replay {
  readonly #options: ReplayOptions;
  readonly #once: DoneOnce;
  readonly #answers: Map<string, Answer>;
  readonly #asked = new Map<string, Asked>();
  readonly #pending = new Map<string, Prepared>();
  readonly #reading = new Set<Promise<unknown>>();
  /** What the last run had put when it ended: once all of it came up again, this run goes on from there. */
  readonly #behind: Set<string>;
  #suspending: Promise<Error> | undefined;
  #progressed = false;

  constructor(options: ReplayOptions) {
    const { chain } = options;
    this.#options = options;
    this.#once = new DoneOnce(chain.done);
    this.#answers = new Map(chain.answers);
    this.#behind = new Set(chain.explicit ? [] : chain.open);
  }

  get replaying(): boolean {
    return this.#behind.size > 0;
  }

  once(key: string, work: () => unknown): Promise<unknown> {
    return this.#once.run(key, work);
  }

  /** Finds the answers, or leaves the questions pending, which ends the run once this turn of the handler is over. */
  async ask(questions: readonly unknown[]): Promise<readonly unknown[]> {
    const { call, compile, refuse } = this.#options;
    const found = questions.map((question) => this.#find(prepareQuestion(question, compile)));
    const open = found.filter(({ answer }) => answer === undefined).map(({ question }) => question);
    requireAbilities(call, open, refuse);
    return Promise.all(found.map((each) => this.#take(each)));
  }

  /** What the client has to be asked now that the handler has ended, if anything. */
  async close(): Promise<Round | undefined> {
    const { ledger } = this.#options;
    while (this.#reading.size > 0) await Promise.allSettled(this.#reading);
    await this.#once.settled();
    if (ledger.demand !== undefined) this.#demand(ledger.demand);
    if (this.#pending.size === 0 && ledger.demand === undefined) return undefined;
    ledger.suspend();
    return { questions: this.#pending, next: this.#advance() };
  }

  /** The answer that earlier rounds brought to exactly this question. */
  #find(question: Prepared): Found {
    const { chain } = this.#options;
    const hash = hashQuestion(question);
    const key = this.#claim(question.key ?? `${question.needs[0]?.split(".")[0]}-${hash}`);
    this.#asked.set(key, { hash });
    this.#behind.delete(key);
    const known = chain.asked.get(key);
    const same = known === undefined ? chain.unasked : known.hash === hash;
    return { key, question, answer: same ? this.#answers.get(key) : undefined };
  }

  #take({ key, question, answer }: Found): Promise<unknown> {
    if (answer === undefined) return this.#leave(key, question);
    const reading = this.#read(key, question, answer);
    this.#reading.add(reading);
    const read = (): void => void this.#reading.delete(reading);
    reading.then(read, read);
    return reading;
  }

  async #read(key: string, question: Prepared, answer: Answer): Promise<unknown> {
    if ("error" in answer) {
      this.#use(key);
      // What came instead of an answer is this run's to deal with, too.
      throw isJsonRpcError(answer.error) ? this.#options.ledger.receive(answer.error) : answer.error;
    }
    const checked = await question.read(answer.value);
    if (!checked.ok) {
      requireAbilities(this.#options.call, [question], this.#options.refuse);
      return this.#leave(key, question);
    }
    this.#use(key);
    return checked.value;
  }

  #use(key: string): void {
    if (this.#options.chain.fresh.has(key)) this.#progressed = true;
  }

  #leave(key: string, question: Prepared): Promise<never> {
    this.#answers.delete(key);
    this.#pending.set(key, question);
    // Whatever else is asked in this turn is put together with it.
    this.#suspending ??= Promise.resolve().then(() => this.#options.ledger.suspend());
    return this.#suspending.then((suspension) => {
      throw suspension;
    });
  }

  /** A key that this run has not used. The same key asked again is another question. */
  #claim(wanted: string): string {
    let key = wanted;
    for (let occurrence = 2; this.#asked.has(key); occurrence += 1) key = `${wanted}-${occurrence}`;
    return key;
  }

  #demand({ requests }: InputRequired): void {
    const { call, compile, refuse, chain, responses } = this.#options;
    const prepared = Object.entries(requests).map(([key, each]) => [key, prepareQuestion(each, compile)] as const);
    requireAbilities(
      call,
      prepared.map(([, question]) => question),
      refuse,
    );
    for (const [key, question] of prepared) {
      const { requestedSchema: form } = question.params as { requestedSchema?: JsonObject }; // forms have it
      this.#asked.set(key, { hash: hashQuestion(question), ask: question.needs[0], form });
      this.#answers.delete(key);
      this.#pending.set(key, question);
    }
    if ([...chain.fresh].some((key) => Object.hasOwn(responses, key))) this.#progressed = true;
  }

  #advance(): Chain {
    const { chain, ledger, call } = this.#options;
    const asked = new Map([...chain.asked, ...this.#asked]);
    const rounds = this.#progressed ? 1 : chain.rounds + 1;
    if (rounds > MOST_ROUNDS) throw giveUp(call, [...this.#pending.keys()]);
    return {
      asked,
      open: new Set(this.#pending.keys()),
      answers: new Map([...this.#answers].filter(([key]) => asked.has(key))),
      fresh: new Set(),
      unasked: false,
      done: this.#once.entries,
      rounds,
      explicit: ledger.demand !== undefined,
      state: toJsonValue(ledger.demand?.state, 'the "state" of inputRequired()'),
    };
  }
}

/** Takes a chain on with the answers to its open questions. */
export function withAnswers(chain: Chain, answers: ReadonlyMap<string, Answer>): Chain {
  const fresh = new Map([...answers].filter(([key]) => chain.asked.has(key) && !chain.answers.has(key)));
  return { ...chain, answers: new Map([...chain.answers, ...fresh]), fresh: new Set(fresh.keys()) };
}

/**
 * The answers to what a handler asked by returning, without those that are not what was asked for. What came without being asked
 * for is left out, too: nothing tells what it should be.
 */
export async function readResponses(
  { answers, asked }: Chain,
  compile: CompileForm,
): Promise<Record<string, InputResponse>> {
  const responses = new Map<string, InputResponse>();
  for (const [key, answer] of answers) {
    const { ask, form } = asked.get(key) ?? {};
    if ("error" in answer || ask === undefined) continue;
    const checked = await readAnswer(ask, answer.value, form === undefined ? undefined : compile(form));
    if (checked.ok) responses.set(key, checked.value as InputResponse); // read by the ability that was asked for
  }
  // Without inherited members, so that none passes for an answer.
  return Object.assign(Object.create(null), Object.fromEntries(responses)) as Record<string, InputResponse>; // made of them
}

/** Throws what `refuse` makes where the client cannot answer one of the questions. */
export function requireAbilities(
  call: Call,
  questions: readonly Prepared[],
  refuse: (needs: readonly Ask[]) => JsonRpcError,
): void {
  const missing = questions.flatMap(({ needs }) => needs.filter((ask) => !call.can.has(ask)));
  if (missing.length > 0) throw refuse([...new Set(missing)]);
}

/** The error after so many rounds. */
export function createGiveUp(keys: readonly string[]): JsonRpcError {
  const named = keys.map((key) => JSON.stringify(key)).join(", ");
  return new JsonRpcError(RPC.invalidParams, `Expected a valid answer to ${named} within ${MOST_ROUNDS} rounds`);
}

/** A handler that asks something else in each run gets nowhere: its author has to know. */
function giveUp({ server, request, subject }: Call, keys: readonly string[]): JsonRpcError {
  const error = createGiveUp(keys);
  const cure = "a handler has to ask the same questions in each run: make what differs with once()";
  server.report(new MortiseError("input_required", `${error.message}; ${cure}`), {
    method: request.method,
    name: subject?.name,
  });
  return error;
}
