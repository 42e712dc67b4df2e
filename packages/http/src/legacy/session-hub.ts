import type { JsonObject, RequestId } from "@mortise/core";
import type { KeepAlive } from "../keep-alive.js";
import type { SessionParts } from "./index.js";
import { LiveSession } from "./live-session.js";
import { type Asked, OpenQuestions } from "./open-questions.js";
import type { Resumption } from "./resumption.js";
import { createKeeper, type SessionKeeper } from "./session-keeper.js";
import type { SessionRecord } from "./session-store.js";

/** Topics on which processes tell each other what concerns a session wherever it is worked on. */
const ANSWERS = "answers";
const CANCEL = "cancel";

/** Everything that sessions have in common in this process. One for each handler. */
export class SessionHub {
  readonly parts: SessionParts;
  readonly keeper: SessionKeeper | undefined;
  readonly questions: OpenQuestions;
  /** Lets streams go on where a client lost them. Nothing where they cannot. */
  readonly resumption: Resumption | undefined;
  readonly #live = new Map<string, LiveSession>();
  /** Says now and then that what is being worked on is in use. */
  readonly #renewal: KeepAlive;

  constructor(parts: SessionParts, resumption: Resumption | undefined) {
    this.parts = parts;
    this.resumption = resumption;
    this.keeper = createKeeper(parts, (id) => this.#live.has(id));
    this.questions = new OpenQuestions(parts);
    this.#renewal = parts.createBeat(Math.max(parts.settings.idleTimeout / 3, 1));
    if (this.keeper !== undefined) this.#listen();
  }

  /** Finds what happens of a session in this process. */
  find(id: string): LiveSession | undefined {
    return this.#live.get(id);
  }

  /** Finds it, or begins it. */
  enter({ session, principal }: Asked): LiveSession {
    const known = this.#live.get(session);
    if (known !== undefined) return known;
    const stop = this.#renewal.start(() => void this.attempt(() => this.#renew(session)));
    const live = new LiveSession(session, principal, () => {
      this.#live.delete(session);
      stop();
    });
    this.#live.set(session, live);
    return live;
  }

  /** Says that a session is in use. Nobody waits for it. */
  use(record: SessionRecord): void {
    const { keeper } = this;
    if (keeper?.renew === undefined) return;
    try {
      const renewed = keeper.renew(record);
      if (this.parts.isThenable(renewed)) void renewed.then(undefined, this.parts.policy().onError);
    } catch (error) {
      this.parts.policy().onError(error);
    }
  }

  /** Takes a client's answer to a question, which another process may have put. */
  answer(asked: Asked, response: JsonObject): void {
    if (this.questions.take(asked, response)) return;
    this.#publish(ANSWERS, { ...asked, response });
  }

  /** Cancels a call of the same session, wherever it is worked on. */
  cancel(asked: Asked, requestId: RequestId, reason: string): void {
    if (this.#cancel(asked, requestId, reason)) return;
    this.#publish(CANCEL, { ...asked, requestId, reason });
  }

  /** Ends what happens of a session, everywhere. */
  end(asked: Asked): void {
    this.#live.get(asked.session)?.end();
    this.#publish(CANCEL, { ...asked });
  }

  /** Does what may fail without anybody waiting for it. */
  readonly attempt = async (step: () => Promise<void>): Promise<void> => {
    try {
      await step();
    } catch (error) {
      this.parts.policy().onError(error);
    }
  };

  async #renew(session: string): Promise<void> {
    if (this.keeper?.renew === undefined) return;
    const record = await this.keeper.find(session);
    if (record !== undefined) this.use(record);
    // It has ended somewhere without a word. What it has asked for may still be answered.
    else this.#live.get(session)?.streams?.close();
  }

  #cancel({ session, principal }: Asked, requestId: RequestId, reason: string): boolean {
    const live = this.#live.get(session);
    return live !== undefined && live.principal === principal && live.cancel(requestId, reason);
  }

  #publish(topic: string, data: JsonObject): void {
    this.parts.server.inside.core.publish(topic, data);
  }

  /** Until the server closes: to come and go with every call would cost a bus more than to stay. */
  #listen(): void {
    const { core } = this.parts.server.inside;
    const leave = core.changes.watch([ANSWERS, CANCEL], (topic, data) => this.#hear(topic, data));
    core.onClose(() => {
      leave();
      for (const live of [...this.#live.values()]) live.end();
    });
  }

  /** What comes from other processes is looked at like everything else that comes in. */
  #hear(topic: string, data: unknown): void {
    const { isObject, isRequestId, classifyMessage } = this.parts;
    if (!isObject(data) || typeof data.session !== "string") return;
    const principal = typeof data.principal === "string" ? data.principal : undefined;
    const asked: Asked = { session: data.session, principal };
    const { response, requestId, reason } = data;
    if (topic === ANSWERS) {
      if (isObject(response) && classifyMessage(response) === "response") this.questions.take(asked, response);
    } else if (requestId === undefined) {
      const live = this.#live.get(asked.session);
      if (live?.principal === principal) live?.end();
    } else if (isRequestId(requestId)) {
      this.#cancel(asked, requestId, typeof reason === "string" ? reason : CANCELLED);
    }
  }
}

/** Why a call was cancelled, where nobody says. */
export const CANCELLED = "The request was cancelled";
