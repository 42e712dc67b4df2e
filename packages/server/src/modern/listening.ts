import type { Call, Endless } from "../call.js";
import { encodeChange, readResourceTopic, tagSubscription } from "../change-notice.js";
import { DueNotices, type NoticeReader } from "../due-notices.js";
import { isHeldBack } from "../find-resource.js";
import type { Result } from "../outcome.js";
import { type ExtraWatch, encodeExtraNotice } from "./extra-watch.js";

/** How a stream tells of its end, and what it tells of besides what the protocol has. */
interface Ends {
  resolve(result: Result): void;
  reject(reason: unknown): void;
  readonly extra: ExtraWatch | undefined;
}

/** One stream of changes, from its acknowledgement to its end. There may be very many, so that it holds little. */
export class Listening implements Endless, NoticeReader {
  readonly #call: Call;
  readonly #ends: Ends;
  readonly #notices: DueNotices;
  #topics: readonly string[] = [];

  constructor(call: Call, ends: Ends) {
    this.#call = call;
    this.#ends = ends;
    this.#notices = new DueNotices(this);
  }

  /** Begins: the acknowledgement goes first, and nothing that changes from now on is missed. */
  open(topics: readonly string[], acknowledgement: string): void {
    const call = this.#call;
    // Middleware may have held it up for long.
    if (call.cancelled) {
      this.release(call.signal.reason);
      return;
    }
    this.#topics = topics;
    try {
      for (const topic of topics) call.server.changes.join(topic, this.#hear);
    } catch (error) {
      this.#leave();
      throw error;
    }
    call.endless = this;
    call.forgetParams();
    void call.announce(acknowledgement);
    if (call.ending) this.stop();
  }

  send(notice: string): void | Promise<void> {
    return this.#call.announce(notice);
  }

  fail(error: unknown): void {
    this.#call.server.report(error, { method: this.#call.request.method });
  }

  stop(): void {
    this.#leave();
    this.#notices.flush();
    this.#ends.resolve({ _meta: tagSubscription(this.#call.id) });
  }

  release(reason: unknown): void {
    this.#leave();
    this.#notices.clear();
    this.#ends.reject(reason);
  }

  #leave(): void {
    for (const topic of this.#topics) this.#call.server.changes.leave(topic, this.#hear);
    this.#topics = [];
  }

  readonly #hear = (topic: string, data: unknown): void => {
    const uri = readResourceTopic(topic);
    if (uri !== undefined && isHeldBack(this.#call, uri)) return;
    const about = this.#ends.extra?.topics.get(topic);
    const { id } = this.#call;
    const notice = about === undefined ? encodeChange(topic, id) : encodeExtraNotice(about, data, id);
    if (notice !== undefined) this.#notices.add(notice, topic);
  };
}
