import type { JsonObject } from "@mortise/core";
import type { MCPServer } from "@mortise/server";
import type { PipeConnection } from "@mortise/server/transport";
import type { Answer } from "../eras.js";

/** A request that the server put to its client. */
export interface Put {
  readonly id: string;
  readonly method: string;
  readonly params: JsonObject;
}

/** A legacy client at the other end of a pipe. */
export interface LegacyClient {
  readonly connection: PipeConnection;
  /** Every request of the server, in order. */
  readonly put: Put[];
  /** Every notification of the server, in order. */
  readonly notices: JsonObject[];
  /** Sends a request, and resolves with the response. */
  ask(method: string, params?: JsonObject, id?: string | number): Promise<Answer>;
  /** Calls a tool. */
  call(name?: string, args?: JsonObject): Promise<Answer>;
  receive(message: JsonObject): void;
  /** Resolves with the next request of the server that nobody waited for yet. */
  next(): Promise<Put>;
}

/** What a client does with a request of the server's: a result, an error, or nothing at all. */
export type Behave = (put: Put) => { readonly result: unknown } | { readonly error: unknown } | undefined;

const EVERYTHING = { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: {} };

/** Opens as a client of a legacy revision that can be asked anything, unless told otherwise. */
export function openLegacy(
  server: MCPServer,
  behave: Behave = () => undefined,
  { version = "2025-11-25", capabilities = EVERYTHING as JsonObject } = {},
): LegacyClient {
  const put: Put[] = [];
  const notices: JsonObject[] = [];
  const waiting = new Map<unknown, (answer: Answer) => void>();
  const expecting: ((put: Put) => void)[] = [];
  let taken = 0;
  let ids = 0;

  function write(text: string): void {
    const message = JSON.parse(text) as JsonObject;
    if (message.method === undefined) waiting.get(message.id)?.(message as Answer);
    else if (message.id === undefined) notices.push(message);
    else answer(message as unknown as Put);
  }

  function answer(asked: Put): void {
    put.push(asked);
    const expected = expecting.shift();
    if (expected !== undefined) {
      taken += 1;
      expected(asked);
    }
    const response = behave(asked);
    if (response !== undefined) queueMicrotask(() => connection.receive({ jsonrpc: "2.0", id: asked.id, ...response }));
  }

  const connection = server.connectPipe({ transport: "memory", write });
  const client: LegacyClient = {
    connection,
    put,
    notices,
    receive: (message) => connection.receive({ jsonrpc: "2.0", ...message }),
    ask(method, params, id = ++ids) {
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        client.receive({ id, method, ...(params === undefined ? {} : { params }) });
      });
    },
    call: (name = "ask", args = {}) => client.ask("tools/call", { name, arguments: args }),
    next() {
      const already = put[taken];
      if (already !== undefined) {
        taken += 1;
        return Promise.resolve(already);
      }
      return new Promise((resolve) => expecting.push(resolve));
    },
  };
  const opening = { protocolVersion: version, capabilities, clientInfo: { name: "probe", version: "1" } };
  client.receive({ id: "open", method: "initialize", params: opening });
  client.receive({ method: "notifications/initialized" });
  return client;
}
