import {
  createError,
  createResult,
  isJsonRpcError,
  isObject,
  type JsonObject,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  MortiseError,
  type RequestId,
  RPC,
  readAsks,
  revisionOf,
} from "@mortise/core";
import { type Desk, prepareAnswer } from "../answer-question.js";
import type { Identity, RequestControl, Session } from "../era.js";
import type { QuestionHandlers } from "../question.js";

/** More questions than this at once are a server that does not wait for answers. */
const MOST_OPEN = 100;

/** What answering the requests of a legacy server needs. */
export interface ServerQuestionsOptions {
  readonly identity: Identity;
  /** The revision that was offered, and so what was declared. */
  readonly offered: string;
  /** The session that asks. */
  readonly session: Pick<Session, "revision" | "server">;
  post(response: JsonRpcResponse): void;
  onProblem(thrown: unknown): void;
}

/**
 * The requests of a legacy server that wait for this client's answer, and those of this client that may wait for such an answer.
 * Loaded with the first session of a client that answers anything.
 */
export class ServerQuestions {
  readonly #options: ServerQuestionsOptions;
  readonly #open = new Map<RequestId, AbortController>();
  /** Requests on their way. The answer to any of them may depend on what the server asks meanwhile. */
  readonly #active = new Set<RequestControl>();

  constructor(options: ServerQuestionsOptions) {
    this.#options = options;
  }

  /** Sends a request whose timeout is held while questions are open. */
  async hold(control: RequestControl, send: () => Promise<JsonObject>): Promise<JsonObject> {
    this.#active.add(control);
    if (this.#open.size > 0) control.pause();
    try {
      return await send();
    } finally {
      this.#active.delete(control);
    }
  }

  /**
   * A request was given up. With the last one its questions are, too; the server need not say so, and over HTTP often cannot.
   */
  giveUp(reason: string): void {
    if (this.#active.size <= 1) this.#refuseAll(new MortiseError("aborted", reason));
  }

  /** Takes a request, and posts the response once there is one. */
  receive(request: JsonRpcRequest): void {
    const refusal = this.#refuse(request);
    if (refusal !== undefined) {
      this.#options.post(refusal);
      return;
    }
    const closing = new AbortController();
    this.#open.set(request.id, closing);
    if (this.#open.size === 1) for (const control of this.#active) control.pause();
    void this.#answer(request, closing.signal);
  }

  /** Takes `notifications/cancelled`: nobody waits for that answer any more. Other notifications are not looked at. */
  notice({ method, params }: JsonRpcNotification): void {
    if (method !== "notifications/cancelled") return;
    const id = params?.requestId;
    if (typeof id !== "string" && typeof id !== "number") return;
    this.#close(id, new MortiseError("aborted", "The server does not need the answer any more"));
  }

  /** Ends every question, since the link is gone. */
  closeAll(reason: Error): void {
    for (const id of [...this.#open.keys()]) this.#close(id, reason);
  }

  /** Ends every question, and tells the server, which may still wait. */
  #refuseAll(reason: Error): void {
    const message = "The client gave up the request that the question belongs to";
    for (const id of [...this.#open.keys()]) {
      this.#close(id, reason);
      this.#options.post(createError(id, { code: RPC.internalError, message }));
    }
  }

  #refuse({ id, method }: JsonRpcRequest): JsonRpcResponse | undefined {
    const handler = HANDLERS.get(method);
    if (handler === undefined || this.#options.identity.handlers[handler] === undefined)
      return createError(id, { code: RPC.methodNotFound, message: "This client does not answer that method" });
    if (this.#open.has(id))
      return createError(id, { code: RPC.invalidRequest, message: "Expected an id that is not in use" });
    if (this.#open.size >= MOST_OPEN)
      return createError(id, { code: RPC.internalError, message: `Expected at most ${MOST_OPEN} questions at once` });
    return undefined;
  }

  async #answer({ id, method, params }: JsonRpcRequest, signal: AbortSignal): Promise<void> {
    // Not at once: the request that it belongs to can be given up only when it is on its way, and a pipe may be that fast.
    await Promise.resolve();
    if (signal.aborted) return;
    const response = await this.#respond({ id, method, params: isObject(params) ? params : {} }, signal);
    // Once the question is closed nobody waits for the response, and another one may have the id.
    if (signal.aborted) return;
    this.#forget(id);
    this.#options.post(response);
  }

  async #respond(
    { id, method, params = {} }: Omit<JsonRpcRequest, "jsonrpc">,
    signal: AbortSignal,
  ): Promise<JsonRpcResponse> {
    let began = false;
    try {
      const answer = prepareAnswer(method, params, this.#createDesk());
      began = true;
      return createResult(id, await answer(signal));
    } catch (error) {
      if (isJsonRpcError(error)) {
        const { code, message, data } = error;
        return createError(id, data === undefined ? { code, message } : { code, message, data });
      }
      if (!signal.aborted) this.#options.onProblem(error);
      // What the question lacks is said; what a handler throws is this side's own affair.
      return !began && error instanceof MortiseError
        ? createError(id, { code: RPC.invalidParams, message: error.message })
        : createError(id, { code: RPC.internalError, message: "The client could not answer" });
    }
  }

  #close(id: RequestId, reason: Error): void {
    const closing = this.#open.get(id);
    if (closing === undefined) return;
    this.#forget(id);
    closing.abort(reason);
  }

  #forget(id: RequestId): void {
    this.#open.delete(id);
    if (this.#open.size === 0) for (const control of this.#active) control.resume();
  }

  /** Made for each question, since the handshake may not be complete when they are listened to. */
  #createDesk(): Desk {
    const { identity, offered, session } = this.#options;
    return {
      handlers: identity.handlers,
      asks: readAsks(identity.describe(revisionOf(offered))),
      richSamples: session.revision.richSamples,
      serverInfo: session.server.serverInfo,
    };
  }
}

const HANDLERS: ReadonlyMap<string, keyof QuestionHandlers> = new Map([
  ["elicitation/create", "onElicit"],
  ["sampling/createMessage", "onSample"],
  ["roots/list", "onRoots"],
]);
