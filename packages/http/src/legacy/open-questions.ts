import type { JsonObject } from "@mortise/core";
import type { SessionParts } from "./index.js";
import { createRandomId } from "./random-id.js";

/** Who may answer: nobody but the session that was asked, for the caller it belongs to. */
export interface Asked {
  readonly session: string;
  readonly principal: string | undefined;
}

/** A question on its way to a client. */
export interface PutQuestion extends Asked {
  readonly method: string;
  readonly params: JsonObject;
  readonly signal: AbortSignal;
  /** Sends it. Gives `false` where nothing leads to the client. */
  deliver(text: string): boolean | Promise<boolean>;
}

interface OpenQuestion extends Asked {
  settle(response: JsonObject): void;
}

/** Questions that this process has put to clients of whatever session, by ids that cannot be guessed. */
export class OpenQuestions {
  readonly #parts: SessionParts;
  readonly #open = new Map<string, OpenQuestion>();

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /** Puts a question. Resolves with the result; rejects with a `JsonRpcError`, or with the signal's reason. */
  put({ session, principal, method, params, signal, deliver }: PutQuestion): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const id = createRandomId();
      const close = (): void => {
        this.#open.delete(id);
        signal.removeEventListener("abort", abort);
      };
      const abort = (): void => {
        close();
        void this.#send(deliver, encodeCancelled(id));
        reject(signal.reason);
      };
      const fail = (message: string): void => {
        close();
        reject(this.#failure(message));
      };
      const settle = ({ result, error }: JsonObject): void => {
        close();
        if (error === undefined) resolve(result);
        else reject(this.#toError(error));
      };
      this.#open.set(id, { session, principal, settle });
      signal.addEventListener("abort", abort);
      void this.#send(deliver, JSON.stringify({ jsonrpc: "2.0", id, method, params })).then((sent) => {
        if (!sent) fail("Expected the client to be there for a question, but it has left and reads no event stream");
      });
    });
  }

  /** Takes a response. Tells whether its question is one of this process's, whether or not it is accepted. */
  take(asked: Asked, response: JsonObject): boolean {
    const question = typeof response.id === "string" ? this.#open.get(response.id) : undefined;
    if (question === undefined) return false;
    if (question.session === asked.session && question.principal === asked.principal) question.settle(response);
    return true;
  }

  async #send(deliver: PutQuestion["deliver"], text: string): Promise<boolean> {
    try {
      return await deliver(text);
    } catch (error) {
      this.#parts.policy().onError(error);
      return false;
    }
  }

  #failure(message: string): Error {
    return new this.#parts.JsonRpcError(INTERNAL_ERROR, message);
  }

  #toError(error: unknown): Error {
    const { code, message, data } = error as { code: number; message: string; data?: unknown }; // classified as a response
    return new this.#parts.JsonRpcError(code, message, data);
  }
}

const INTERNAL_ERROR = -32603;

/** Who asked no longer wants to know. */
function encodeCancelled(requestId: string): string {
  return JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
}
