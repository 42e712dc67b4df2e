import {
  classifyMessage,
  isObject,
  isRequestId,
  type JsonRpcNotification,
  type JsonRpcRequest,
  RPC,
  readableId,
  type Selection,
  selectBatch,
  selectEra,
} from "@mortise/core";
import { Call } from "./call.js";
import type { Agreement, Carrier } from "./carrier.js";
import type { Eras } from "./eras.js";
import { isThenable } from "./is-thenable.js";
import { run } from "./run.js";
import { type Sealed, sealError } from "./sealed.js";
import type { ServerCore } from "./server-core.js";

/** The writing end of a two-way line of messages. */
export interface Pipe {
  /** What the transport is called: "stdio", "memory", … */
  readonly transport: string;
  /** Writes one message, given as JSON text without a newline. Returns a promise while the reader is behind. */
  write(text: string): void | Promise<void>;
}

/** One client on a two-way line of messages, in whichever era each of its messages is. */
export interface PipeConnection {
  /** Takes one decoded JSON value. Answers go to the pipe; nothing is thrown. */
  receive(message: unknown): void;
  /** Answers input that is no JSON value at all. The connection goes on. */
  malformed(problem: "parse" | "utf8" | "oversize"): void;
  /** How many requests are being worked on. */
  readonly pending: number;
  /** Takes no more input and resolves once every owed answer was written, or was aborted `drain` ms later. @default 5000 */
  finish(options?: { readonly drain?: number | undefined }): Promise<void>;
  /** Aborts everything now and writes nothing more. */
  close(): void;
}

const PROBLEMS: Readonly<Record<"parse" | "utf8" | "oversize", { readonly code: number; readonly message: string }>> = {
  parse: { code: RPC.parseError, message: "Expected JSON" },
  utf8: { code: RPC.parseError, message: "Expected UTF-8" },
  oversize: { code: RPC.invalidRequest, message: "Expected a shorter message" },
};
const TOOLS_CHANGED = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';
const DEFAULT_DRAIN_MS = 5000;

/** Serves one client on a pipe. Requests that say their version are modern, whatever was agreed; the others are legacy once `initialize` was. */
export function connectPipe(server: ServerCore, eras: Eras, pipe: Pipe): PipeConnection {
  let state: "open" | "finishing" | "closed" = "open";
  let agreement: Agreement | undefined;
  let announcing = false;
  const waiting = new Set<() => void>();
  let owed = 0;

  const carrier: Carrier & { agreement: Agreement | undefined } = {
    transport: pipe.transport,
    announces: true,
    agreement: undefined,
    agree(agreed) {
      agreement = agreed;
      carrier.agreement = agreed;
    },
    send: write,
  };
  const endChanges = server.onChange(announce);

  function write(text: string): void | Promise<void> {
    if (state !== "closed") return pipe.write(text);
  }

  /** Several changes in one turn are one announcement, after the answers of that turn. */
  function announce(): void {
    if (agreement === undefined || announcing) return;
    announcing = true;
    queueMicrotask(() => {
      announcing = false;
      if (state === "open") write(TOOLS_CHANGED);
    });
  }

  function receive(message: unknown): void {
    if (state !== "open") return;
    switch (classifyMessage(message)) {
      case "request":
        return answer(message as JsonRpcRequest, write); // classified
      case "notification":
        return take(message as JsonRpcNotification); // classified
      case "batch":
        return receiveBatch(message as readonly unknown[]); // classified
      case "response": // no question is open
        return;
      case "invalid":
        write(refuse(message));
    }
  }

  function answer(request: JsonRpcRequest, deliver: (text: string) => void): void {
    const opened = open(request, selectEra(request, { agreed: agreement?.revision }));
    if (!(opened instanceof Call)) return deliver(opened.text);
    const sealed = run(opened);
    if (!isThenable(sealed)) return opened.cancelled ? undefined : deliver(sealed.text);
    owed += 1;
    opened.onCancelled = settle;
    void sealed.then(({ text }) => {
      if (opened.cancelled) return;
      deliver(text);
      settle();
    });
  }

  function open(request: JsonRpcRequest, selection: Selection): Call | Sealed {
    switch (selection.era) {
      case "refused":
        return sealError(request.id, selection.refusal.error, selection.refusal.status);
      case "modern":
        return eras.modern.open(request, carrier);
      case "legacy":
        return eras.legacy.open(request, carrier, selection.revision);
    }
  }

  function take({ method, params }: JsonRpcNotification): void {
    if (method === "notifications/cancelled" && isRequestId(params?.requestId)) {
      server.inFlight.cancel(carrier, params.requestId, cancelReason(params.reason));
    }
  }

  /** Answers in one array, once the last of them is there; an entry that was cancelled is left out. */
  function receiveBatch(entries: readonly unknown[]): void {
    const selection = selectBatch(entries, { agreed: agreement?.revision });
    if (selection.era === "refused") return void write(sealError(undefined, selection.refusal.error, 400).text);
    const texts: string[] = [];
    let open = 1;
    const deliver = (text?: string): void => {
      open -= 1;
      if (text !== undefined) texts.push(text);
      if (open === 0 && texts.length > 0) write(`[${texts.join(",")}]`);
    };
    for (const entry of entries) {
      const kind = classifyMessage(entry);
      if (kind === "notification") take(entry as JsonRpcNotification); // classified
      if (kind === "invalid" || kind === "batch") texts.push(refuse(entry));
      if (kind === "request") {
        open += 1;
        answer(entry as JsonRpcRequest, deliver); // classified
      }
    }
    deliver();
  }

  function settle(): void {
    owed -= 1;
    if (owed === 0) for (const resolve of waiting) resolve();
  }

  async function finish({ drain = DEFAULT_DRAIN_MS }: { readonly drain?: number | undefined } = {}): Promise<void> {
    if (state === "closed") return;
    state = "finishing";
    if (owed > 0 && drain > 0) await waitForOwed(drain);
    close();
  }

  async function waitForOwed(limitMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, limitMs);
      function done(): void {
        clearTimeout(timer);
        waiting.delete(done);
        resolve();
      }
      waiting.add(done);
    });
  }

  function close(): void {
    if (state === "closed") return;
    state = "closed";
    endChanges();
    server.inFlight.cancel(carrier);
  }

  return {
    receive,
    malformed: (problem) => void write(sealError(undefined, PROBLEMS[problem], 400).text),
    get pending() {
      return owed;
    },
    finish,
    close,
  };
}

function refuse(message: unknown): string {
  return sealError(readableId(message), { code: RPC.invalidRequest, message: "Expected a JSON-RPC 2.0 message" }, 400)
    .text;
}

function cancelReason(reason: unknown): DOMException {
  return new DOMException(typeof reason === "string" ? reason : "The request was cancelled", "AbortError");
}
