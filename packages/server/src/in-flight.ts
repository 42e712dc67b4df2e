import type { RequestId } from "@mortise/core";
import type { Call } from "./call.js";
import type { Carrier } from "./carrier.js";

/** Calls being worked on, as a list that runs through the calls themselves: entering and leaving allocate nothing. */
export class InFlight {
  #first: Call | undefined;
  #size = 0;
  readonly #waiting = new Set<() => void>();

  get size(): number {
    return this.#size;
  }

  add(call: Call): void {
    call.next = this.#first;
    if (this.#first !== undefined) this.#first.previous = call;
    this.#first = call;
    this.#size += 1;
  }

  remove(call: Call): void {
    if (call.previous !== undefined) call.previous.next = call.next;
    else if (this.#first === call) this.#first = call.next;
    else return;
    if (call.next !== undefined) call.next.previous = call.previous;
    call.previous = undefined;
    call.next = undefined;
    this.#size -= 1;
    if (this.#size === 0) for (const resolve of this.#waiting) resolve();
  }

  /** Cancels what one sender asked under an id, or everything it asked. */
  cancel(carrier: Carrier, id?: RequestId, reason?: unknown): void {
    for (const call of this.#calls()) {
      if (call.carrier === carrier && (id === undefined || call.id === id)) call.cancel(reason);
    }
  }

  /** Cancels everything. */
  cancelAll(reason?: unknown): void {
    for (const call of this.#calls()) call.cancel(reason);
  }

  /** How many calls of one sender are being worked on. */
  count(carrier: Carrier): number {
    return this.#calls().filter((call) => call.carrier === carrier).length;
  }

  /** Resolves once nothing is being worked on, or after `limitMs`. */
  async idle(limitMs: number): Promise<void> {
    if (this.#size === 0 || limitMs <= 0) return;
    const { promise, resolve } = withResolvers();
    const timer = setTimeout(resolve, limitMs);
    this.#waiting.add(resolve);
    await promise;
    clearTimeout(timer);
    this.#waiting.delete(resolve);
  }

  /** A copy, since cancelling may take calls out. */
  #calls(): Call[] {
    const calls: Call[] = [];
    for (let call = this.#first; call !== undefined; call = call.next) calls.push(call);
    return calls;
  }
}

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
