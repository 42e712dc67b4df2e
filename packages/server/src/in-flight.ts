import type { Call } from "./call.js";
import type { Carrier } from "./carrier.js";
import { Owed } from "./owed.js";

/** Calls being worked on, as a list that runs through the calls themselves: entering and leaving allocate nothing. */
export class InFlight {
  #first: Call | undefined;
  readonly #owed = new Owed();

  get size(): number {
    return this.#owed.count;
  }

  add(call: Call): void {
    call.next = this.#first;
    if (this.#first !== undefined) this.#first.previous = call;
    this.#first = call;
    this.#owed.add();
  }

  remove(call: Call): void {
    if (call.previous !== undefined) call.previous.next = call.next;
    else if (this.#first === call) this.#first = call.next;
    else return;
    if (call.next !== undefined) call.next.previous = call.previous;
    call.previous = undefined;
    call.next = undefined;
    this.#owed.settle();
  }

  /**
   * Asks what would go on for ever to end with an answer, of one sender or of all. Resolves once these answers were given,
   * unless middleware holds them up.
   */
  async stop(carrier?: Carrier): Promise<void> {
    let stopped = false;
    for (const call of this.#calls().reverse()) {
      if (carrier !== undefined && call.carrier !== carrier) continue;
      if (call.endless !== undefined) stopped = true;
      call.end();
    }
    if (stopped) await new Promise<void>((resolve) => void setTimeout(resolve, 0));
  }

  /** Cancels everything that one sender asked. */
  cancel(carrier: Carrier): void {
    for (const call of this.#calls()) if (call.carrier === carrier) call.cancel();
  }

  /** Cancels everything. */
  cancelAll(reason?: unknown): void {
    for (const call of this.#calls()) call.cancel(reason);
  }

  /** Resolves once nothing is being worked on, or after `limitMs`. */
  idle(limitMs: number): Promise<void> {
    return this.#owed.settled(limitMs);
  }

  /** A copy, since cancelling may take calls out. */
  #calls(): Call[] {
    const calls: Call[] = [];
    for (let call = this.#first; call !== undefined; call = call.next) calls.push(call);
    return calls;
  }
}
