import {
  createRequest,
  isObject,
  type JsonObject,
  JsonRpcError,
  type JsonRpcResponse,
  MortiseError,
} from "@mortise/core";

/** One request that waits for its response. */
interface OpenRequest {
  resolve(result: JsonObject): void;
  reject(error: unknown): void;
}

const ID_BYTES = 16;

/** Requests of a server to the client at the other end of a pipe. */
export class OpenRequests {
  readonly #write: (text: string) => unknown;
  readonly #open = new Map<unknown, OpenRequest>();
  #ended = false;

  constructor(write: (text: string) => unknown) {
    this.#write = write;
  }

  /**
   * Sends a request. Resolves with its result; rejects with a `JsonRpcError` for an error, with the signal's reason once that
   * aborts, which the client is told, and with `connection_closed` once no response can come any more.
   */
  put(method: string, params: JsonObject, signal: AbortSignal): Promise<unknown> {
    if (this.#ended) return Promise.reject(createEnd());
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const id = createId();
      const close = (): void => {
        this.#open.delete(id);
        signal.removeEventListener("abort", giveUp);
      };
      const giveUp = (): void => {
        close();
        this.#write(JSON.stringify(createCancelled(id, signal.reason)));
        reject(signal.reason);
      };
      this.#open.set(id, {
        resolve(result) {
          close();
          resolve(result);
        },
        reject(error) {
          close();
          reject(error);
        },
      });
      signal.addEventListener("abort", giveUp, { once: true });
      this.#write(JSON.stringify(createRequest(id, method, params)));
    });
  }

  /** Takes a response. One that comes too late, or answers nothing that was asked, does nothing. */
  take(response: JsonRpcResponse): void {
    const open = this.#open.get(response.id);
    if (open === undefined) return;
    if ("result" in response) {
      open.resolve(response.result);
      return;
    }
    const { code, message, data } = response.error;
    open.reject(new JsonRpcError(code, message, data));
  }

  /** Takes a message that is no response, although it may be meant as one. Tells whether it was. */
  takeMalformed(message: unknown): boolean {
    const open = isObject(message) && message.method === undefined ? this.#open.get(message.id) : undefined;
    open?.reject(new MortiseError("invalid_response", "Expected the client to answer with a JSON-RPC response"));
    return open !== undefined;
  }

  /** Says that no response can come any more. */
  end(): void {
    this.#ended = true;
    for (const { reject } of [...this.#open.values()]) reject(createEnd());
  }
}

/** An id that nobody can guess, and that no request of the client's has. */
function createId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function createCancelled(requestId: string, reason: unknown): JsonObject {
  const told = reason instanceof Error ? { reason: reason.message } : {};
  return { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId, ...told } };
}

function createEnd(): MortiseError {
  return new MortiseError("connection_closed", "Expected the client to be there for its answer, but it has left");
}
