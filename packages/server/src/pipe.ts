import {
  classifyMessage,
  createError,
  type ErrorObject,
  isObject,
  isRequestId,
  isThenable,
  type JsonObject,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type RequestId,
  RPC,
  readableId,
  selectBatch,
  selectEra,
} from "@mortise/core";
import type { Announcer } from "./announcer.js";
import type { Call } from "./call.js";
import type { Agreement, Carrier } from "./carrier.js";
import type { Eras } from "./eras.js";
import type { OpenRequests } from "./open-requests.js";
import { Owed } from "./owed.js";
import type { Sealed } from "./sealed.js";
import type { ServerInside } from "./server.js";
import type { ServerCore } from "./server-core.js";

/** The writing end of a two-way line of messages. */
export interface Pipe {
  /** What the transport is called: "stdio", "memory", … */
  readonly transport: string;
  /** What the transport knows of its client, for all of its requests. */
  readonly caller?: PipeCaller | undefined;
  /** Writes one message, given as JSON text without a newline. Returns a promise, which never rejects, while the reader is behind. */
  write(text: string): void | Promise<void>;
  /** How much text waits because the reader is behind, in characters. While it is more than 1 MiB, notices are dropped. @default 0 */
  readonly backlog?: number | undefined;
  /** Runs once, when the connection was closed from either side. */
  onClose?(): void;
}

/** What carries the messages of a pipe may know this much of who sends them. */
export type PipeCaller = Pick<Carrier, "principal" | "auth" | "context" | "sessionId" | "header" | "versions">;

/** One client on a two-way line of messages, in whichever era each of its messages is. */
export interface PipeConnection {
  /** Takes one decoded JSON value. Answers go to the pipe; nothing is thrown. */
  receive(message: unknown): void;
  /** Answers input that is no JSON value at all. The connection goes on. */
  malformed(problem: PipeProblem): void;
  /** How many requests are being worked on. */
  readonly pending: number;
  /** Takes no more input and resolves once every owed answer was written, or was aborted `drain` ms later; `Infinity` aborts nothing. @default 5000 */
  finish(options?: { readonly drain?: number | undefined }): Promise<void>;
  /** Aborts everything now and writes nothing more. */
  close(): void;
}

/** Why input was no JSON value: it does not parse, is no UTF-8, or is too long. */
export type PipeProblem = "parse" | "utf8" | "oversize";

const PROBLEMS: Readonly<Record<PipeProblem, { readonly code: number; readonly message: string }>> = {
  parse: { code: RPC.parseError, message: "Expected JSON" },
  utf8: { code: RPC.parseError, message: "Expected UTF-8" },
  oversize: { code: RPC.invalidRequest, message: "Expected a shorter message" },
};
/** Answers are owed whatever waits; notices of a handler that does not await them must not fill the memory. */
const MAX_BACKLOG = 1_048_576;
const DEFAULT_DRAIN_MS = 5000;

/**
 * Serves one client on a pipe. A request that says its version is modern, whatever was agreed before; the others are
 * legacy once `initialize` was answered. https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 */
export class ServerPipe implements PipeConnection {
  readonly #server: ServerCore;
  readonly #eras: Eras;
  readonly #pipe: Pipe;
  readonly #carrier: Carrier;
  readonly #owed = new Owed();
  /** What is being worked on by its id, so that a flood of cancellations costs no search for each. */
  readonly #running = new Map<RequestId, Call>();
  /** Tells the client of changes, once it has opened as a legacy one. */
  readonly #announcer: Announcer;
  /** What the client was asked. Made with the first question. */
  #requests: OpenRequests | undefined;
  /** Stops listening to the server. */
  readonly #end: () => void;
  #state: "open" | "finishing" | "closed" = "open";
  #agreement: Agreement | undefined;

  constructor({ core, eras, createAnnouncer }: ServerInside, pipe: Pipe) {
    this.#server = core;
    this.#eras = eras;
    this.#pipe = pipe;
    this.#announcer = createAnnouncer(this.#write);
    this.#carrier = this.#createCarrier();
    this.#end = core.onClose(() => this.close());
  }

  get pending(): number {
    return this.#owed.count;
  }

  receive(message: unknown): void {
    if (this.#state !== "open") return;
    switch (classifyMessage(message)) {
      case "request":
        this.#answer(message as JsonRpcRequest, this.#deliver); // classified
        break;
      case "notification":
        this.#take(message as JsonRpcNotification); // classified
        break;
      case "batch":
        this.#receiveBatch(message as readonly unknown[]); // classified
        break;
      case "response":
        this.#requests?.take(message as JsonRpcResponse); // classified
        break;
      case "invalid":
        this.#deliver(this.#refuse(message));
    }
  }

  malformed(problem: PipeProblem): void {
    this.#deliver(encodeError(undefined, PROBLEMS[problem]));
  }

  async finish({ drain = DEFAULT_DRAIN_MS }: { readonly drain?: number | undefined } = {}): Promise<void> {
    if (this.#state === "closed") return;
    this.#state = "finishing";
    this.#requests?.end();
    this.#announcer.close();
    this.#server.changes.flush();
    // What would go on for ever ends at once, with its answer, however little time there is for the others.
    await this.#server.inFlight.stop(this.#carrier);
    await this.#owed.settled(drain);
    this.close();
  }

  close(): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#end();
    this.#announcer.close();
    this.#server.inFlight.cancel(this.#carrier);
    this.#requests?.end();
    this.#pipe.onClose?.();
  }

  #createCarrier(): Carrier {
    const agreed = (): Agreement | undefined => this.#agreement;
    return {
      ...this.#pipe.caller,
      transport: this.#pipe.transport,
      announces: true,
      send: this.#notify,
      announce: this.#write,
      watched: this.#announcer,
      request: (method, params, { signal }) => this.#ask(method, params, signal),
      agree: (agreement) => {
        // A level of log messages that is set later leaves the rest as it was.
        if (agreement.capabilities !== this.#agreement?.capabilities) this.#announcer.open();
        this.#agreement = agreement;
      },
      get agreement() {
        return agreed();
      },
    };
  }

  readonly #write = (text: string): void | Promise<void> => {
    if (this.#state === "closed") return;
    try {
      const behind = this.#pipe.write(text);
      return isThenable(behind) ? behind.then(undefined, this.#report) : undefined;
    } catch (error) {
      this.#report(error);
    }
  };

  /** A transport that fails must not take the process along. */
  readonly #report = (error: unknown): void => this.#server.report(error, {});

  readonly #notify = (notice: string): void | Promise<void> => {
    if ((this.#pipe.backlog ?? 0) <= MAX_BACKLOG) return this.#write(notice);
  };

  readonly #deliver = (text?: string): void => {
    if (text !== undefined) void this.#write(text);
  };

  async #ask(method: string, params: JsonObject, signal: AbortSignal): Promise<unknown> {
    const { OpenRequests } = await import("./open-requests.js");
    this.#requests ??= new OpenRequests(this.#write);
    if (this.#state !== "open") this.#requests.end();
    return this.#requests.put(method, params, signal);
  }

  #answer(request: JsonRpcRequest, deliver: (text?: string) => void): void {
    const opened = this.#open(request);
    if ("text" in opened) {
      deliver(opened.text);
      return;
    }
    const sealed = opened.run();
    if (!isThenable(sealed)) {
      deliver(opened.cancelled ? undefined : sealed.text);
      return;
    }
    this.#owed.add();
    this.#running.set(opened.id, opened);
    opened.onCancelled = () => this.#settle(opened, deliver);
    void sealed.then(({ text }) => {
      if (!opened.cancelled) this.#settle(opened, deliver, text);
    });
  }

  #settle(call: Call, deliver: (text?: string) => void, text?: string): void {
    // A sender that uses an id twice at the same time has lost hold of the first call.
    if (this.#running.get(call.id) === call) this.#running.delete(call.id);
    deliver(text);
    this.#owed.settle();
  }

  #open(request: JsonRpcRequest): Call | Sealed {
    const selection = selectEra(request, { agreed: this.#agreement?.revision });
    switch (selection.era) {
      case "refused":
        return { text: encodeError(request.id, selection.refusal.error), status: selection.refusal.status };
      case "modern":
        return this.#eras.modern.open(request, this.#carrier);
      case "legacy":
        return this.#eras.legacy.open(request, this.#carrier, selection.revision);
    }
  }

  #take({ method, params }: JsonRpcNotification): void {
    if (method !== "notifications/cancelled" || !isRequestId(params?.requestId)) return;
    const reason = typeof params.reason === "string" ? params.reason : "The request was cancelled";
    this.#running.get(params.requestId)?.cancel(new DOMException(reason, "AbortError"));
  }

  /** Answers in one array, once the last of the answers is there; what was cancelled is left out. */
  #receiveBatch(entries: readonly unknown[]): void {
    const selection = selectBatch(entries, { agreed: this.#agreement?.revision });
    if (selection.era === "refused") {
      this.#deliver(encodeError(undefined, selection.refusal.error));
      return;
    }
    const texts: string[] = [];
    let awaited = 1;
    const deliver = (text?: string): void => {
      awaited -= 1;
      if (text !== undefined) texts.push(text);
      if (awaited === 0 && texts.length > 0) this.#deliver(`[${texts.join(",")}]`);
    };
    for (const entry of entries) {
      const kind = classifyMessage(entry);
      if (kind === "notification") this.#take(entry as JsonRpcNotification); // classified
      if (kind === "response") this.#requests?.take(entry as JsonRpcResponse); // classified
      const refused = kind === "invalid" || kind === "batch" ? this.#refuse(entry) : undefined;
      if (refused !== undefined) texts.push(refused);
      if (kind !== "request") continue;
      awaited += 1;
      this.#answer(entry as JsonRpcRequest, deliver); // classified
    }
    deliver();
  }

  /** The answer to what is no message, unless it is meant as a response: those are never answered. */
  #refuse(message: unknown): string | undefined {
    const taken = this.#requests?.takeMalformed(message) === true;
    if (taken || isMeantAsResponse(message)) return undefined;
    return encodeError(readableId(message), { code: RPC.invalidRequest, message: "Expected a JSON-RPC 2.0 message" });
  }
}

function isMeantAsResponse(message: unknown): boolean {
  return isObject(message) && message.method === undefined && ("result" in message || "error" in message);
}

function encodeError(id: RequestId | undefined, error: ErrorObject): string {
  return JSON.stringify(createError(id, error));
}
