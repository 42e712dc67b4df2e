import {
  classifyMessage,
  isObject,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  MortiseError,
  type PipeTransport,
  type RequestId,
  SUBSCRIPTION_KEY,
  toError,
} from "@mortise/core";
import type { Answer, AnswerHead, Flight, Link, LinkListener, SendOptions } from "./link.js";
import { readMalformedAnswer } from "./malformed-answer.js";
import { readProgress } from "./progress.js";

/** Pipes have no statuses and no headers. */
const PIPE_HEAD: AnswerHead = { status: 0, header: () => undefined };

/** One request that waits for its answer. */
interface Waiting {
  resolve(answer: Answer): void;
  reject(error: Error): void;
  readonly onProgress: SendOptions["onProgress"];
  readonly onNotification: SendOptions["onNotification"];
  readonly alone: boolean;
}

/** What a pipe link needs besides its pipe. */
export interface PipeLinkOptions {
  onProblem(problem: Error): void;
  /** What all links are made with. */
  readonly parts: LinkParts;
}

/** What a pipe link shares with the code that is loaded at start, and is handed. */
export interface LinkParts {
  readonly SILENT_LISTENER: LinkListener;
  toAnswer(response: JsonRpcResponse, head: AnswerHead): Answer;
}

/** Starts a pipe and opens the way to the server behind it. Rejects when the pipe cannot be started. */
export async function openPipeLink(transport: PipeTransport, options: PipeLinkOptions): Promise<Link> {
  const link = new PipeLink(transport, options);
  await link.start();
  return link;
}

class PipeLink implements Link {
  readonly shape = "pipe";
  listener: LinkListener;
  closedBy: Error | undefined;
  readonly #transport: PipeTransport;
  readonly #options: PipeLinkOptions;
  readonly #parts: LinkParts;
  readonly #waiting = new Map<RequestId, Waiting>();

  constructor(transport: PipeTransport, options: PipeLinkOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#parts = options.parts;
    this.listener = options.parts.SILENT_LISTENER;
  }

  start(): Promise<void> {
    return this.#transport.start({
      onMessage: (message) => this.#receive(message),
      onClose: (error) => this.#end(error ?? new MortiseError("connection_closed", "The server ended the connection")),
      onError: (error) => this.#options.onProblem(error),
    });
  }

  send(request: JsonRpcRequest, { onProgress, onNotification, alone = false }: SendOptions): Flight {
    const { id } = request;
    const answer = new Promise<Answer>((resolve, reject) => {
      if (this.closedBy === undefined) this.#waiting.set(id, { resolve, reject, onProgress, onNotification, alone });
      else reject(this.closedBy);
    });
    if (this.closedBy === undefined) this.#write(request, (error) => this.#take(id)?.reject(error));
    return { answer, drop: (error) => this.#take(id)?.reject(error) };
  }

  post(message: JsonRpcNotification | JsonRpcResponse): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.closedBy !== undefined) return reject(this.closedBy);
      this.#write(message, reject);
      resolve();
    });
  }

  endSession(): Promise<void> {
    return Promise.resolve();
  }

  hide(): void {
    // Errors of a pipe quote nothing that the server wrote.
  }

  async close(reason: Error): Promise<void> {
    this.#end(reason);
    await this.#transport.close();
  }

  #write(message: JsonRpcRequest | JsonRpcNotification | JsonRpcResponse, onFailure: (error: Error) => void): void {
    try {
      // The transport may be behind; the answer is waited for in any case.
      this.#transport.send(message)?.catch((error: unknown) => onFailure(toError(error)));
    } catch (error) {
      onFailure(toError(error));
    }
  }

  /** The 2025-03-26 revision allows several messages in one array, but no arrays in it. */
  #receive(message: unknown): void {
    if (!Array.isArray(message)) this.#receiveOne(message);
    else for (const entry of message) this.#receiveOne(entry);
  }

  #receiveOne(message: unknown): void {
    switch (classifyMessage(message)) {
      case "response":
        this.#receiveResponse(message as JsonRpcResponse); // classified just now
        return;
      case "notification":
        this.#receiveNotification(message as JsonRpcNotification); // classified just now
        return;
      case "request":
        this.listener.onRequest(message as JsonRpcRequest); // classified just now
        return;
      default:
        this.#take(readMalformedAnswer(message))?.resolve({ kind: "refused", head: PIPE_HEAD, body: "" });
        this.#options.onProblem(
          new MortiseError("invalid_response", "Ignored a line of the server that is no JSON-RPC message"),
        );
    }
  }

  #receiveResponse(response: JsonRpcResponse): void {
    const waiting = this.#take(response.id ?? this.#findAlone());
    if (waiting === undefined) {
      this.#options.onProblem(new MortiseError("invalid_response", "Ignored a response that nothing waits for"));
      return;
    }
    waiting.resolve(this.#parts.toAnswer(response, PIPE_HEAD));
  }

  #receiveNotification(notification: JsonRpcNotification): void {
    if (notification.method !== "notifications/progress") {
      // Whoever waits for it may ask for what has changed, which nobody must believe to know any more.
      this.listener.onNotification(notification);
      this.#find(readSubscriptionId(notification))?.onNotification?.(notification);
      return;
    }
    const { params } = notification;
    // The progress token of a request is its id. A token that nothing waits for is late, or not ours: ignored.
    if (params !== undefined) this.#find(params.progressToken)?.onProgress?.(readProgress(params));
  }

  #find(id: unknown): Waiting | undefined {
    return typeof id === "number" || typeof id === "string" ? this.#waiting.get(id) : undefined;
  }

  #findAlone(): RequestId | undefined {
    for (const [id, waiting] of this.#waiting) if (waiting.alone && this.#waiting.size === 1) return id;
    return undefined;
  }

  #take(id: RequestId | undefined): Waiting | undefined {
    if (id === undefined) return undefined;
    const waiting = this.#waiting.get(id);
    if (waiting !== undefined) this.#waiting.delete(id);
    return waiting;
  }

  #end(reason: Error): void {
    const isFirst = this.closedBy === undefined;
    this.closedBy ??= reason;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(reason);
    if (isFirst) this.listener.onClose(reason);
  }
}

/**
 * The request that a notification belongs to, if any. Only the end of a subscription names it in another place.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#receiving-messages
 */
function readSubscriptionId({ method, params }: JsonRpcNotification): unknown {
  if (method === "notifications/cancelled") return params?.requestId;
  return isObject(params?._meta) ? params._meta[SUBSCRIPTION_KEY] : undefined;
}
