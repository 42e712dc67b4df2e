import { type ScenarioTool, SERVER_INFO } from "./scenario.js";

/** A request as plain code believes it to be. */
export interface PlainRequest {
  readonly id: number;
  readonly method: string;
  readonly params?: {
    readonly name?: string;
    readonly arguments?: Record<string, unknown>;
    readonly notifications?: Record<string, unknown>;
    readonly _meta?: Record<string, unknown>;
  };
}

/** Answers requests without any check. */
export interface PlainAnswers {
  answer(message: PlainRequest): unknown;
  acknowledge(message: PlainRequest): unknown;
  answerStreaming(message: PlainRequest, send: (notice: unknown) => void): Promise<unknown>;
}

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const STAMP = { "io.modelcontextprotocol/serverInfo": SERVER_INFO };

/** The results that the real servers build, from the same tools. */
export function createPlainAnswers(tools: readonly ScenarioTool[]): PlainAnswers {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const listed = tools.map(({ name, description, inputJson, outputJson }) => ({
    name,
    description,
    inputSchema: inputJson,
    ...(outputJson && { outputSchema: outputJson }),
  }));

  function respond(message: PlainRequest, result: object): unknown {
    const modern = message.params?._meta?.[VERSION_KEY] !== undefined;
    const whole = modern ? { resultType: "complete", ...result, _meta: STAMP } : result;
    return { jsonrpc: "2.0", id: message.id, result: whole };
  }

  function call(message: PlainRequest, send: (progress: number) => void): ReturnType<ScenarioTool["run"]> {
    const tool = byName.get(message.params?.name ?? "");
    if (tool === undefined) throw new Error(`Expected a known tool, received ${message.params?.name}`);
    return tool.run(message.params?.arguments ?? {}, send);
  }

  function toResult(answer: Awaited<ReturnType<ScenarioTool["run"]>>): object {
    const content = [{ type: "text", text: answer.text }];
    return answer.structured === undefined ? { content } : { content, structuredContent: answer.structured };
  }

  return {
    answer(message) {
      if (message.method === "tools/list") return respond(message, { tools: listed, ttlMs: 0, cacheScope: "private" });
      if (message.method === "server/discover") return respond(message, DISCOVERED);
      const answer = call(message, () => undefined);
      if (answer instanceof Promise) throw new Error("Expected an answer at once");
      return respond(message, toResult(answer));
    },
    acknowledge: ({ id, params }) => ({
      jsonrpc: "2.0",
      method: "notifications/subscriptions/acknowledged",
      params: { _meta: { "io.modelcontextprotocol/subscriptionId": id }, notifications: params?.notifications },
    }),
    async answerStreaming(message, send) {
      const progressToken = message.params?._meta?.progressToken;
      const answer = call(message, (progress) =>
        send({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress } }),
      );
      return respond(message, toResult(await answer));
    },
  };
}

const DISCOVERED = {
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: {} },
  serverInfo: SERVER_INFO,
  ttlMs: 0,
  cacheScope: "private",
};
