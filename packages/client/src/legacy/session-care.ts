import {
  createError,
  createRequest,
  createResult,
  type JsonObject,
  type JsonRpcNotification,
  type JsonRpcRequest,
  MortiseError,
  RPC,
  toError,
} from "@mortise/core";
import { explainHiddenSession } from "../blocked.js";
import { isBrowser, isOpaqueFailure } from "../browser.js";
import type { PendingRequest, Watch, Watching } from "../era.js";
import type { Answer, EventStreams } from "../link.js";
import { readAnswer } from "../refused-answer.js";
import type { Agreement } from "./handshake.js";
import type { ServerQuestions } from "./server-questions.js";
import type { LegacySession } from "./session.js";
import { Unasked } from "./unasked.js";

/**
 * What may become of a legacy session besides requests and results: what its server says and asks by itself, its loss and renewal,
 * and headers that a browser does not let pass. Loaded with the first need of any of it.
 */
export class SessionCare {
  readonly #session: LegacySession;
  readonly #streams: EventStreams | undefined;
  /** What the server asks; `undefined` where nobody answers. */
  questions: ServerQuestions | undefined;
  /** What the server says outside of answers; made for the first who hears it. */
  #unasked: Unasked | undefined;
  #renewal: Promise<void> | undefined;

  constructor(session: LegacySession, streams: EventStreams | undefined) {
    this.#session = session;
    this.#streams = streams;
  }

  async loadQuestions(): Promise<void> {
    if (this.questions !== undefined) return;
    const { ServerQuestions } = await import("./server-questions.js");
    const session = this.#session;
    const { identity, offered } = session.options;
    this.questions = new ServerQuestions({
      identity,
      offered,
      session,
      post: (response) => session.post(response),
      onProblem: (thrown) => this.#report(thrown),
    });
  }

  /** There is a session, or another one in the place of a lost one. */
  begin(agreed: Agreement): void {
    const { options, link } = this.#session;
    if (this.#unasked !== undefined || (options.listen && link.shape === "http")) this.#listener(agreed).begin(agreed);
  }

  watch(watching: Watching): Promise<Watch> {
    return this.#listener(this.#session.agreement).watch(watching);
  }

  notice(notification: JsonRpcNotification): void {
    this.questions?.notice(notification);
    this.#unasked?.notice(notification);
  }

  receive(request: JsonRpcRequest): void {
    const { id, method } = request;
    // A client that declared no abilities is still asked whether it is alive.
    if (method === "ping") this.#session.post(createResult(id, {}));
    else if (this.questions !== undefined) this.questions.receive(request);
    else {
      const message = "This client does not answer that method";
      this.#session.post(createError(id, { code: RPC.methodNotFound, message }));
    }
  }

  /** The link is gone. */
  end(reason: Error): void {
    this.questions?.closeAll(reason);
    this.#unasked?.end(reason);
  }

  /** The session is being closed. */
  drop(): void {
    this.#unasked?.drop();
  }

  /** Opens a new session in place of a lost one. Requests that lose the same session share one renewal. */
  async renew(lost: Agreement): Promise<void> {
    if (this.#session.agreement === lost) {
      this.#renewal ??= this.#replace().finally(() => {
        this.#renewal = undefined;
      });
    }
    // Also when the handshake is through already: the server has to hear that it is, first.
    await this.#renewal;
  }

  /**
   * Goes on where the notice that the handshake is complete was not taken, or could not be sent as usual: a page finds out only by
   * trying whether the server lets the version pass.
   */
  async tellInitialized(problem: Error | undefined): Promise<void> {
    const session = this.#session;
    const { link, options, sendInitialized } = session;
    const agreement = session.agreement;
    let failure = problem;
    if (options.findings.isBlocked) {
      if (!agreement.revision.versionHeader) this.#dropVersion(agreement);
      failure = await sendInitialized(link, session.headers);
    }
    if (!session.isMinimal && isOpaqueFailure(failure)) {
      this.#dropVersion(agreement);
      failure = await sendInitialized(link, session.headers);
    }
    // Pages cannot read a session that the server does not show them, and need it for whatever they say.
    session.isHidden = failure !== undefined && agreement.sessionId === undefined && isBrowser();
    if (failure !== undefined) options.onProblem(failure);
  }

  /** Reads a refusal that the lack of a session may explain. */
  readHidden(answer: Answer): JsonObject {
    try {
      return readAnswer(answer);
    } catch (error) {
      throw answer.head.status < 400 ? error : explainHiddenSession(toError(error));
    }
  }

  /** Opens the session anew. */
  async #replace(): Promise<void> {
    const session = this.#session;
    this.#unasked?.lose(new MortiseError("http_status", "The server does not know the session any more"));
    try {
      await session.open();
      // It knows nothing of what the lost one was told.
      if (session.logLevel !== undefined)
        this.#request(session.setLogLevel(session.logLevel)).catch((error: unknown) => this.#report(error));
      session.options.onRenewed(session);
    } catch (error) {
      this.#unasked?.end(toError(error));
      throw error;
    }
  }

  #dropVersion(agreement: Agreement): void {
    const session = this.#session;
    session.isMinimal = true;
    session.options.findings.minimalHeaders = true;
    session.headers = session.createHeaders(agreement);
  }

  #listener(agreed: Agreement): Unasked {
    const session = this.#session;
    this.#unasked ??= new Unasked(
      {
        streams: this.#streams,
        listens: session.options.listen,
        headers: () => session.headers,
        capabilities: () => session.server.capabilities,
        isMinimal: () => session.isMinimal,
        takeProof: () => {
          const { isProven } = session;
          session.isProven = false;
          return isProven;
        },
        renew: (lost) => this.renew(lost),
        request: (request) => this.#request(request),
        onProblem: (thrown) => this.#report(thrown),
      },
      agreed,
    );
    return this.#unasked;
  }

  /** Sends a request of the session's own. */
  async #request({ method, params }: PendingRequest): Promise<JsonObject> {
    const { link, headers, options } = this.#session;
    const flight = link.send(createRequest(options.nextId(), method, params), { headers });
    return readAnswer(await options.wait(flight, method));
  }

  #report(thrown: unknown): void {
    this.#session.options.onProblem(toError(thrown));
  }
}
