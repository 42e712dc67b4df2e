import { isJsonRpcError, type JsonObject, type JsonRpcError, MortiseError } from "@mortise/core";
import type { Call } from "./call.js";
import { type HandlerRun, type Settled, settleRun } from "./handler-run.js";
import { InputRequired } from "./input-required.js";
import type { Questioner } from "./questioner.js";

/** So many questions and notices of a run that is over are refused. */
const PATIENCE = 100;

/** What a handler's question rejects with when its answer comes with a later run. Let it pass. */
export class Suspension extends Error {
  override readonly name = "Suspension";
  readonly code = "input_required";

  constructor() {
    super("This run ends here: the handler runs again once the client has answered");
  }
}

/**
 * Everything that one run of a handler asks of its client, in the order it is asked. Questions are written down at once; what
 * deals with them is loaded with the first.
 */
export class Ledger {
  /** Set once the run is over because a question waits for its answer. */
  suspension: Suspension | undefined;
  /** What the handler returned instead of a result. */
  demand: InputRequired | undefined;
  readonly #call: Call;
  readonly #waiting: (() => void)[] = [];
  /** Errors that came from the client's side: for the handler to deal with, not to be sent back as they are. */
  readonly #received = new WeakSet<object>();
  #questioner: Questioner | undefined;
  #loading: Promise<Questioner> | undefined;
  #concluded = false;
  /** How often it was called after its run was over. */
  #late = 0;

  constructor(call: Call, questioner?: (ledger: Ledger) => Questioner) {
    this.#call = call;
    this.#questioner = questioner?.(this);
  }

  /** Whether the run may send notices: it is not over, nor catching up with an earlier one that has sent them. */
  get speaks(): boolean {
    return this.suspension === undefined && this.#questioner?.replaying !== true;
  }

  /** Whether a result was made of what the run asked. */
  get concluded(): boolean {
    return this.#concluded;
  }

  /** What a notice gives that is not sent: nothing, or after the end of the run a rejection for those who wait for it. */
  silence(): void | Promise<void> {
    if (this.suspension === undefined) return;
    const over = this.#refuseLate(this.suspension);
    over.catch(ignore);
    return over;
  }

  /** What dealt with the questions so far, where something has. */
  get questioner(): Questioner | undefined {
    return this.#questioner;
  }

  /** Writes questions down that belong together, and resolves with their answers. May be left unawaited. */
  ask(questions: readonly unknown[]): Promise<readonly unknown[]> {
    return this.#enter((questioner) => questioner.ask(questions));
  }

  /** Does something once along a chain of runs, and resolves with what came of it then. May be left unawaited. */
  once(key: string, work: () => unknown): Promise<unknown> {
    return this.#enter((questioner) => questioner.once(key, work));
  }

  /** Loads what deals with questions, and reads what earlier runs brought. Rejects with a `JsonRpcError` where that is not theirs. */
  ready(): Promise<Questioner> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** Ends the run because of a question: the handler's signal aborts, and what it asks from now on is not heard. */
  suspend(): Suspension {
    this.suspension ??= new Suspension();
    this.#call.abandon(this.suspension);
    return this.suspension;
  }

  /** Makes a result of what became of a run that asked something. Rejects with an error that is to be sent. */
  async conclude(settled: Settled, run: HandlerRun): Promise<JsonObject> {
    const demand = "returned" in settled && settled.returned instanceof InputRequired ? settled.returned : undefined;
    if (this.#concluded) {
      if (demand !== undefined) throw new MortiseError("input_required", "Expected the handler to be run once");
      return settleRun(settled, run); // what ran around the handler has nothing to add
    }
    const suspended = this.suspension;
    this.#concluded = true;
    this.demand = demand;
    const questioner = await this.ready();
    if (suspended !== undefined) await this.#reportSwallowed(settled, suspended);
    return questioner.conclude(settled, run);
  }

  /** Remembers that an error says what the client could not do. */
  receive(error: JsonRpcError): JsonRpcError {
    this.#received.add(error);
    return error;
  }

  /** Whether an error says what the client could not do. */
  isReceived(error: unknown): boolean {
    return isJsonRpcError(error) && this.#received.has(error);
  }

  #enter<T>(job: (questioner: Questioner) => Promise<T>): Promise<T> {
    const entered = this.#run(job);
    entered.catch(ignore);
    return entered;
  }

  #run<T>(job: (questioner: Questioner) => Promise<T>): Promise<T> {
    if (this.suspension !== undefined) return this.#refuseLate(this.suspension);
    const refusal = this.#refuse();
    if (refusal !== undefined) return Promise.reject(refusal);
    if (this.#questioner !== undefined) return job(this.#questioner);
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        if (this.#questioner !== undefined) job(this.#questioner).then(resolve, reject);
      });
      this.ready().catch(reject);
    });
  }

  #refuse(): unknown {
    if (this.#call.cancelled) return this.#call.signal.reason;
    if (this.#concluded || this.#call.answered)
      return new MortiseError("closed", "Expected the question before the call was answered");
    if (this.#call.method?.asks === true) return undefined;
    return new MortiseError("invalid_options", "Expected a question of a tool, a prompt or a resource only");
  }

  /** A handler that does not take no for an answer is left waiting, for as long as its call lasts. It would never stop otherwise. */
  #refuseLate(suspension: Suspension): Promise<never> {
    this.#late += 1;
    if (this.#late <= PATIENCE) return Promise.reject(suspension);
    if (this.#late === PATIENCE + 1)
      this.#report(new MortiseError("input_required", "Expected the handler to end once it is suspended"));
    return new Promise(() => undefined);
  }

  async #reportSwallowed(settled: Settled, suspension: Suspension): Promise<void> {
    const { findSwallowed } = await import("./swallowed.js");
    const problem = findSwallowed(settled, suspension);
    if (problem !== undefined) this.#report(problem);
  }

  #report(error: MortiseError): void {
    const { server, request, subject } = this.#call;
    server.report(error, { method: request.method, name: subject?.name });
  }

  async #load(): Promise<Questioner> {
    this.#questioner ??= await this.#call.era.createQuestioner(this.#call, this);
    for (const job of this.#waiting.splice(0)) job();
    return this.#questioner;
  }
}

/** Does nothing with a rejection, which would end the process if nobody did anything with it. */
export function ignore(): void {
  // Whether anybody waits for it is the handler's affair.
}
