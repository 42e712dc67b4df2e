import {
  type Ask,
  describeType,
  type Implementation,
  isLogLevel,
  isObject,
  type JsonObject,
  LOG_LEVELS,
  type LogLevel,
  type RequestId,
} from "@mortise/core";
import type { Call } from "./call.js";
import { expectOption } from "./check-options.js";
import { ignore, type Ledger } from "./ledger.js";
import { encodeLogMessage, isWanted } from "./log-message.js";
import type {
  AskSeveral,
  Elicit,
  ElicitForm,
  ElicitUrl,
  InputResponse,
  ListRoots,
  Question,
  RootsAnswer,
  Sample,
  SampleAnswer,
} from "./question.js";

const DEFAULT_RETRY_MS = 1000;

/** Without inherited members, so that none passes for an answer. */
const NO_RESPONSES: Readonly<Record<string, InputResponse | undefined>> = Object.freeze(Object.create(null));

/** What a handler knows of the call it serves, and what it can do besides answering. Its members can be taken apart: `({ progress })`. */
export class HandlerContext {
  readonly #call: Call;
  /** What this run has asked, once it has asked something: another run of the same call has its own. */
  #ledger: Ledger | undefined;
  #progress = Number.NEGATIVE_INFINITY;

  /** @internal */
  constructor(call: Call) {
    this.#call = call;
    this.#ledger = call.ledger;
  }

  /**
   * Aborts when the caller cancels, leaves (on modern revisions), or the server closes; and when this run ends because the handler
   * runs again with the answer to a question.
   */
  get signal(): AbortSignal {
    const suspension = this.#ledger?.suspension;
    return suspension === undefined ? this.#call.signal : AbortSignal.abort(suspension);
  }

  /** The id of the request. Unique for its sender only. */
  get requestId(): RequestId {
    return this.#call.id;
  }

  /** The protocol version this request is answered in. */
  get protocolVersion(): string {
    return this.#call.revision.id;
  }

  /** Which transport carried the request: "http", "stdio", "memory", … */
  get transport(): string {
    return this.#call.carrier.transport;
  }

  /** Who the client says it is. For display and logs, never for decisions. */
  get client(): Implementation | undefined {
    return this.#call.client;
  }

  /** Who the caller is, as an authorization check found. */
  get principal(): string | undefined {
    return this.#call.carrier.principal;
  }

  /** What the authorization check found. */
  get auth(): unknown {
    return this.#call.carrier.auth;
  }

  /** Whatever the embedding program passed along with the request. */
  get context(): unknown {
    return this.#call.carrier.context;
  }

  /** The legacy session of the request, where there is one. */
  get sessionId(): string | undefined {
    return this.#call.carrier.sessionId;
  }

  /** Gives a header of the HTTP request, by name in any case; `undefined` on transports without headers. */
  get header(): (name: string) => string | undefined {
    return (name) => this.#call.carrier.header?.(name.toLowerCase());
  }

  /** Tells whether the caller can be asked a question of this kind. */
  get can(): (ask: Ask) => boolean {
    return (ask) => this.#call.can.has(ask);
  }

  /** Gives what the caller declared of an extension, by its id; `undefined` where it did not, and on legacy revisions. */
  get extension(): (id: string) => JsonObject | undefined {
    return (id) => this.#call.declared(id);
  }

  /**
   * Asks the user to fill in a form, or to visit a page. Rejects with a `JsonRpcError` for a client that cannot be asked this: see
   * `can`. The answer is checked against the form's schema; one that does not fit is asked for again.
   *
   * On modern revisions this run ends here, and the handler runs again from its beginning once the answer is there: what must not
   * happen twice belongs into `once`. Let the rejection that ends the run pass.
   *
   * Follows https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
   */
  get elicit(): Elicit {
    // The answer is of the type that the question says.
    return ((elicit: ElicitForm | ElicitUrl) => this.#ask({ elicit })) as Elicit;
  }

  /** Asks the client's model. Works and rejects like `elicit`. https://modelcontextprotocol.io/specification/2026-07-28/client/sampling */
  get sample(): (sample: Sample) => Promise<SampleAnswer> {
    return (sample) => this.#ask({ sample }) as Promise<SampleAnswer>; // read as one
  }

  /** Asks which folders the client works on. Works and rejects like `elicit`. https://modelcontextprotocol.io/specification/2026-07-28/client/roots */
  get listRoots(): (roots?: ListRoots) => Promise<RootsAnswer> {
    return (roots = {}) => this.#ask({ roots }) as Promise<RootsAnswer>; // read as one
  }

  /** Puts several questions at once, under their keys. Rejects where one of them cannot be put. Works like `elicit` otherwise. */
  get ask(): AskSeveral {
    return ((questions: Readonly<Record<string, Question>>) => {
      expectOption(isObject(questions), "questions", "an object of questions by their keys", questions);
      const keys = Object.keys(questions);
      const asking = this.#questions.ask(keys.map((key) => withKey(key, questions[key])));
      return quietly(asking.then((answers) => Object.fromEntries(keys.map((key, index) => [key, answers[index]]))));
    }) as AskSeveral; // each answer is of the type that its question says
  }

  /**
   * Does something at most once, however often the handler runs for the sake of its questions, and resolves with what it gave: a
   * JSON value, or nothing. What it throws is thrown in later runs, too.
   */
  get once(): <Value>(key: string, work: () => Value | PromiseLike<Value>) => Promise<Value> {
    return <Value>(key: string, work: () => Value | PromiseLike<Value>) =>
      this.#questions.once(key, work) as Promise<Value>; // as JSON gives it back
  }

  /**
   * Tells the client that what it sent its user to a page for is done there, so that it can go on by itself. `elicitationId` is what the
   * question was given. Only revision 2025-11-25 has this notice: to other clients nothing is sent. Throws `TypeError` for an id that is
   * no string.
   *
   * Follows https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#completion-notifications-for-url-mode-elicitation
   */
  get completeElicitation(): (elicitationId: string) => void | Promise<void> {
    return (elicitationId) => {
      if (typeof elicitationId !== "string")
        throw new TypeError(`Expected the elicitation id to be a string, received ${describeType(elicitationId)}`);
      if (!this.#call.revision.elicitationId || this.#ledger?.speaks === false) return this.#ledger?.silence();
      const params = JSON.stringify({ elicitationId });
      return this.#call.send(`{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":${params}}`);
    };
  }

  /** The answers to what the handler asked with `inputRequired`, by key; only those that are what was asked for. */
  get inputResponses(): Readonly<Record<string, InputResponse | undefined>> {
    return this.#ledger?.questioner?.responses ?? NO_RESPONSES;
  }

  /** The state that the handler gave to `inputRequired`; `undefined` in the first run. */
  get inputState(): unknown {
    return this.#ledger?.questioner?.state;
  }

  /**
   * Sends a log message, if the caller asked for ones as severe as this; data may be anything. Returns a promise while
   * the caller reads more slowly than this is called. Throws `TypeError` for a level that does not exist.
   *
   * Follows https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging
   */
  get log(): (level: LogLevel, data: unknown, logger?: string) => void | Promise<void> {
    return (level, data, logger) => {
      if (!isLogLevel(level)) throw new TypeError(`Expected the level to be one of ${LOG_LEVELS.join(", ")}`);
      expectText("logger", logger);
      if (this.#ledger !== undefined && !this.#ledger.speaks) return this.#ledger.silence();
      if (isWanted(level, this.#call.logLevel)) return this.#call.send(encodeLogMessage(level, data, logger));
    };
  }

  /**
   * Reports how far the work is, if the caller asked to be told; values that do not grow are not sent. Returns a promise
   * while the caller reads more slowly than this is called: await it to keep pace. Throws `TypeError` for a number that
   * is not finite.
   *
   * Follows https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress
   */
  get progress(): (progress: number, total?: number, message?: string) => void | Promise<void> {
    return (progress, total, message) => this.#report(progress, total, message);
  }

  /**
   * Closes the connection that waits for the answer, while the work goes on. The client comes back for the rest after `retry`
   * milliseconds, so that no connection is held for long. Does nothing where answers cannot be fetched later: only clients of legacy
   * HTTP sessions can, where streams are resumable. Throws `TypeError` for a `retry` that is no whole number.
   *
   * Follows https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
   */
  get closeStream(): (options?: { readonly retry?: number | undefined }) => void {
    return ({ retry = DEFAULT_RETRY_MS } = {}) => {
      if (!Number.isSafeInteger(retry) || retry < 0)
        throw new TypeError(`Expected "retry" to be a whole number of milliseconds, received ${String(retry)}`);
      if (!this.#call.cancelled) this.#call.carrier.closeStream?.(retry);
    };
  }

  get #questions(): Ledger {
    this.#ledger ??= this.#call.questions;
    return this.#ledger;
  }

  #ask(question: Question): Promise<unknown> {
    return quietly(this.#questions.ask([question]).then(([answer]) => answer));
  }

  #report(progress: number, total: number | undefined, message: string | undefined): void | Promise<void> {
    if (!Number.isFinite(progress))
      throw new TypeError(`Expected the progress to be a finite number, received ${String(progress)}`);
    if (total !== undefined && !Number.isFinite(total))
      throw new TypeError(`Expected the total to be a finite number, received ${String(total)}`);
    expectText("message", message);
    const token = readProgressToken(this.#call);
    if (this.#ledger !== undefined && !this.#ledger.speaks) return this.#ledger.silence();
    if (token === undefined || progress <= this.#progress) return;
    this.#progress = progress;
    const told = this.#call.revision.progressMessage ? message : undefined;
    return this.#call.send(encodeProgress(token, progress, total, told));
  }
}

/** The same promise, which may be left unawaited. */
function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(ignore);
  return promise;
}

/** A question under the key that its author gave it in a list of several. */
function withKey(key: string, question: Question | undefined): unknown {
  if (!isObject(question)) return question;
  const [[kind, asked] = ["", undefined]] = Object.entries(question);
  return isObject(asked) ? { [kind]: { ...asked, key } } : question;
}

function expectText(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== "string")
    throw new TypeError(`Expected the ${name} to be a string, received ${describeType(value)}`);
}

function readProgressToken(call: Call): RequestId | undefined {
  const meta = call.request.params?._meta;
  const token = isObject(meta) ? meta.progressToken : undefined;
  return typeof token === "string" || Number.isFinite(token) ? (token as RequestId) : undefined; // finite, so a number
}

/** Joins text instead of serializing an object: a long task sends many of these. */
function encodeProgress(token: RequestId, progress: number, total?: number, message?: string): string {
  const rest = `${total === undefined ? "" : `,"total":${total}`}${message === undefined ? "" : `,"message":${JSON.stringify(message)}`}`;
  return `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${JSON.stringify(token)},"progress":${progress}${rest}}}`;
}
