import type { Sealed } from "@mortise/server/transport";
import type { Answer } from "../answer.js";
import type { EdgeReply } from "../edge-reply.js";
import type { Visit } from "../visit.js";
import type { SessionHub } from "./session-hub.js";

/** One visit being worked on. */
export interface Serving {
  readonly hub: SessionHub;
  readonly visit: Visit;
  readonly answer: Answer;
  readonly changes: Changes;
}

/** What a client gets that has cancelled its request: no answer, and HTTP wants some status. */
export const WITHDRAWN: EdgeReply = Object.freeze({ status: 202 });
const INTERNAL_ERROR = -32603;

/** What a request changes in its session, and has to be stored before it is answered. */
export class Changes {
  readonly #pending: Promise<void>[] = [];

  get size(): number {
    return this.#pending.length;
  }

  add(change: void | Promise<void>): void {
    const pending = Promise.resolve(change);
    pending.then(undefined, () => undefined); // told to whoever waits for all of them, which may be later
    this.#pending.push(pending);
  }

  /** Resolves once everything is stored. Rejects with what the store failed with. */
  async stored(): Promise<void> {
    await Promise.all(this.#pending);
  }
}

/** Begins the answer to a visit. */
export function beginServing(hub: SessionHub, visit: Visit): Serving {
  return { hub, visit, answer: hub.parts.createAnswer(visit), changes: new Changes() };
}

/**
 * Completes an answer once everything it changes is stored; with nothing, for what was cancelled. A store that fails makes the
 * answer one of status 500. Never rejects.
 */
export async function settle(
  { hub, visit, answer, changes }: Serving,
  sealed: Sealed | undefined | Promise<Sealed | undefined>,
): Promise<void> {
  const { server, policy, readableId } = hub.parts;
  try {
    const late = await sealed;
    await changes.stored();
    if (late === undefined) answer.abandon(server.closed ? undefined : WITHDRAWN);
    else answer.complete(late);
  } catch (error) {
    policy().onError(error);
    const failure = { code: INTERNAL_ERROR, message: "Internal error" };
    answer.abandon({ status: 500, error: failure, id: readableId(visit.message) });
  }
}
