import type { JsonObject, MCPServer } from "@mortise/server";

/** Answers one question of the server, whose params it gets. */
export type AnswerQuestion = (params: JsonObject) => JsonObject;

/** One message, as far as this client reads it. */
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: JsonObject;
  readonly result?: JsonObject;
  readonly error?: { readonly message: string };
}

const CLIENT = { name: "questions-example", version: "1.0.0" };
const CAPABILITIES = { elicitation: { form: {} } };
const MODERN_META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": CLIENT,
  "io.modelcontextprotocol/clientCapabilities": CAPABILITIES,
};

/** Calls a tool as a modern client does: each answer with questions is followed by the same request with the answers. */
export async function callModern(server: MCPServer, name: string, answer: AnswerQuestion): Promise<JsonObject> {
  let brought: JsonObject = {};
  for (;;) {
    const params = { name, arguments: {}, _meta: MODERN_META, ...brought };
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const result = readResult((await server.handle(message)) as Message); // what the protocol answers with
    if (result.resultType !== "input_required") return result;
    const questions = Object.entries(result.inputRequests as Record<string, { params: JsonObject }>); // likewise
    const inputResponses = Object.fromEntries(questions.map(([key, { params: asked }]) => [key, answer(asked)]));
    brought = { inputResponses, requestState: result.requestState };
  }
}

/** Calls a tool as a legacy client does: while the call is open, the server sends requests of its own. */
export async function callLegacy(server: MCPServer, name: string, answer: AnswerQuestion): Promise<JsonObject> {
  const waiting = new Map<number, (message: Message) => void>();
  const pipe = server.connectPipe({
    transport: "memory",
    write(text) {
      const message = JSON.parse(text) as Message; // what the server wrote
      const { id = 0, method, params = {} } = message;
      // A client that answers within the server's own turn would not be one.
      if (method === "elicitation/create") setTimeout(() => send({ id, result: answer(params) }));
      else if (method === undefined) waiting.get(id)?.(message);
    },
  });
  const send = (message: Message): void => pipe.receive({ jsonrpc: "2.0", ...message });
  const request = async (id: number, method: string, params: JsonObject): Promise<JsonObject> => {
    const answered = new Promise<Message>((resolve) => waiting.set(id, resolve));
    send({ id, method, params });
    return readResult(await answered);
  };
  await request(1, "initialize", { protocolVersion: "2025-11-25", capabilities: CAPABILITIES, clientInfo: CLIENT });
  send({ method: "notifications/initialized" });
  const result = await request(2, "tools/call", { name, arguments: {} });
  pipe.close();
  return result;
}

function readResult({ result, error }: Message): JsonObject {
  if (result !== undefined) return result;
  throw new Error(error?.message ?? "Expected a result");
}
