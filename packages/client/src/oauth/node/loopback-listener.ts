import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { MortiseError } from "@mortise/core";
import { hasCode } from "./file-failures.js";
import { type LoginOutcome, PAGE_HEADERS } from "./login-page.js";

/** Names of this machine that can be listened on. */
export type LoopbackHost = "127.0.0.1" | "localhost" | "[::1]";

/** What each name listens on. Browsers try both addresses of `localhost`, so nobody else may have either. */
const ADDRESSES: Readonly<Record<LoopbackHost, readonly string[]>> = {
  "127.0.0.1": ["127.0.0.1"],
  localhost: ["127.0.0.1", "::1"],
  "[::1]": ["::1"],
};
/** How often a free port is looked for that is free at every address. */
const MOST_TRIES = 10;
/** How long the last page may take to get to the browser. */
const FAREWELL_MS = 1_000;

/** What a listener is opened with. */
export interface ListenerOptions {
  readonly host: LoopbackHost;
  /** 0 for any that is free. */
  readonly port: number;
  readonly render: (outcome: LoginOutcome) => string;
}

/** A login that waits for its answer. */
interface Waiting {
  readonly path: string;
  resolve(parameters: URLSearchParams): void;
}

/** What becomes of one visit. */
interface Verdict {
  readonly status: number;
  readonly outcome: LoginOutcome;
  /** Hands the answer to the login that waits for it. */
  readonly deliver?: () => void;
}

/**
 * Listens for answers to logins. Throws `address_in_use` when somebody else has the port, or the system keeps it for itself.
 */
export async function openListener(options: ListenerOptions): Promise<LoopbackListener> {
  const listener = new LoopbackListener(options.render);
  for (let tries = 1; ; tries += 1) {
    try {
      await listener.listen(ADDRESSES[options.host], options.port);
      return listener;
    } catch (error) {
      listener.close();
      if (options.port === 0 && tries < MOST_TRIES && hasCode(error, "EADDRINUSE")) continue;
      if (!hasCode(error, "EADDRINUSE", "EACCES")) throw error;
      const message = `Logins come back to port ${options.port} of this machine, which cannot be used now`;
      throw new MortiseError("address_in_use", message, { cause: error });
    }
  }
}

/** One port of this machine, for any number of logins at a time. */
export class LoopbackListener {
  readonly #render: (outcome: LoginOutcome) => string;
  readonly #waiting = new Map<string, Waiting>();
  readonly #paths = new Set<string>();
  #servers: Server[] = [];
  #answering = 0;
  #isClosed = false;
  port = 0;

  constructor(render: (outcome: LoginOutcome) => string) {
    this.#render = render;
  }

  /** Lets visits of a path be answered with a page, before and after a login waits for them. */
  addPath(path: string): void {
    this.#paths.add(path);
  }

  /** Waits for the one visit of a path that has this `state`. Rejects with the reason of the signal. */
  wait(path: string, state: string, signal: AbortSignal): Promise<URLSearchParams> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#waiting.delete(state);
        reject(signal.reason);
      };
      if (signal.aborted) return giveUp();
      signal.addEventListener("abort", giveUp, { once: true });
      this.#waiting.set(state, {
        path,
        resolve(parameters) {
          signal.removeEventListener("abort", giveUp);
          resolve(parameters);
        },
      });
    });
  }

  /** Stops listening. Pages that are on their way get through, other connections end. */
  close(): void {
    this.#isClosed = true;
    for (const server of this.#servers) server.close();
    if (this.#answering === 0) this.#endConnections();
    else setTimeout(() => this.#endConnections(), FAREWELL_MS).unref();
  }

  /** @package */
  async listen(addresses: readonly string[], port: number): Promise<void> {
    this.#servers = [];
    this.#isClosed = false;
    this.port = port;
    for (const address of addresses) {
      const server = createServer((request, response) => this.#answer(request, response));
      try {
        await listenAt(server, address, this.port);
      } catch (error) {
        // A machine may have only one of the two kinds of addresses.
        const isMissing = hasCode(error, "EADDRNOTAVAIL", "EAFNOSUPPORT");
        if (!isMissing || (address === addresses.at(-1) && this.#servers.length === 0)) throw error;
        continue;
      }
      this.#servers.push(server);
      this.port = (server.address() as AddressInfo).port; // a listener at a port has one
    }
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    this.#answering += 1;
    response.once("close", () => {
      this.#answering -= 1;
      if (this.#isClosed && this.#answering === 0) this.#endConnections();
    });
    const { status, outcome, deliver } = this.#judge(request);
    response.writeHead(status, status === 405 ? { ...PAGE_HEADERS, Allow: "GET" } : PAGE_HEADERS);
    response.end(this.#render(outcome));
    deliver?.();
  }

  #judge({ url: target, method }: IncomingMessage): Verdict {
    const url = readTarget(target);
    if (url === undefined || !this.#paths.has(url.pathname)) return { status: 404, outcome: "unexpected" };
    if (method !== "GET") return { status: 405, outcome: "unexpected" };
    const waiting = this.#take(url);
    if (waiting === undefined) return { status: 400, outcome: "unexpected" };
    const outcome = url.searchParams.has("error") ? "refused" : "answered";
    return { status: 200, outcome, deliver: () => waiting.resolve(url.searchParams) };
  }

  /** The login that a visit belongs to, once. Whoever does not know its `state` has nothing to say to it. */
  #take({ pathname, searchParams }: URL): Waiting | undefined {
    const [state = "", ...more] = searchParams.getAll("state");
    const waiting = this.#waiting.get(state);
    if (waiting === undefined || waiting.path !== pathname || more.length > 0) return undefined;
    this.#waiting.delete(state);
    return waiting;
  }

  #endConnections(): void {
    for (const server of this.#servers) server.closeAllConnections();
  }
}

function listenAt(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, exclusive: true }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function readTarget(target: string | undefined): URL | undefined {
  const base = "http://localhost";
  return target !== undefined && URL.canParse(target, base) ? new URL(target, base) : undefined;
}
