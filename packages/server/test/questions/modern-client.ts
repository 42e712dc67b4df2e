import type { JsonObject } from "@mortise/core";
import { type HandleOptions, MCPServer, type ServerOptions } from "@mortise/server";
import { type Answer, modern } from "../eras.js";

/** What a client that can be asked anything declares. */
export const EVERYTHING = {
  "io.modelcontextprotocol/clientCapabilities": {
    elicitation: { form: {}, url: {} },
    sampling: { tools: {}, context: {} },
    roots: {},
  },
};

export const NAME_SCHEMA = {
  type: "object",
  properties: { name: { type: "string" } },
  required: ["name"],
} as const;

/** A server, and what it told its owner. */
export function createServer(options: Partial<ServerOptions> = {}): { server: MCPServer; errors: unknown[] } {
  const errors: unknown[] = [];
  const server = new MCPServer({
    name: "test",
    version: "1",
    onError: (error) => errors.push(error),
    onWarning: () => undefined,
    ...options,
  });
  return { server, errors };
}

/** What a server asks. */
export interface InputRequest {
  readonly method: string;
  readonly params: JsonObject;
}

/** One request of a client that can be asked anything. */
export interface Round {
  readonly method?: string;
  readonly params?: JsonObject;
  readonly responses?: unknown;
  readonly state?: unknown;
  readonly meta?: JsonObject;
  readonly options?: HandleOptions;
}

/** Sends one round: the first without answers, the others with them and what the server gave to send back. */
export function send(server: MCPServer, round: Round = {}): Promise<Answer> {
  const { method = "tools/call", params = { name: "ask", arguments: {} }, responses, state, meta, options } = round;
  const more = {
    ...(responses === undefined ? {} : { inputResponses: responses }),
    ...(state === undefined ? {} : { requestState: state }),
  };
  return modern.ask(server, method, { ...params, ...more, _meta: { ...EVERYTHING, ...meta } }, options);
}

/** Gives an answer to every question, by its key, and sends the next round. */
export function reply(
  server: MCPServer,
  { result }: Answer,
  answerTo: (key: string, request: InputRequest) => unknown,
  round: Round = {},
): Promise<Answer> {
  const requests = Object.entries((result.inputRequests ?? {}) as Record<string, InputRequest>);
  const responses = Object.fromEntries(requests.map(([key, request]) => [key, answerTo(key, request)]));
  return send(server, { responses, state: result.requestState, ...round });
}

/** Accepts a form with this content. */
export function accept(content?: JsonObject): JsonObject {
  return { action: "accept", ...(content === undefined ? {} : { content }) };
}

/** The text of a tool's result. */
export function textOf({ result }: Answer): string | undefined {
  return result?.content?.[0]?.text;
}
