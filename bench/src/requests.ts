import { ARGUMENT_TEXT, BURST_NOTICES, RESULT_TEXT, type Scenario, TICK_NOTICES } from "./scenario.js";

/** Which of the two protocol eras a request is written for. */
export type Era = "modern" | "legacy";

/** Request ids have one width, so that request and answer keep their length from call to call. */
export const FIRST_ID = 4_100_001;

const VERSION = "2026-07-28";
const META = {
  "io.modelcontextprotocol/protocolVersion": VERSION,
  "io.modelcontextprotocol/clientInfo": { name: "load", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** One request, cut where its id goes. */
export interface RequestText {
  readonly before: string;
  readonly after: string;
}

/** What a scenario's client asks, again and again. */
export function createRequest(scenario: Scenario, era: Era): RequestText {
  const meta = scenario === "burst" || scenario === "ticks" ? { ...META, progressToken: "bench" } : META;
  const params = scenario === "list" ? {} : { name: scenario, arguments: createArguments(scenario) };
  const whole = era === "modern" ? { ...params, _meta: meta } : params;
  const method = scenario === "list" ? "tools/list" : "tools/call";
  return { before: '{"jsonrpc":"2.0","id":', after: `,"method":"${method}","params":${JSON.stringify(whole)}}` };
}

/** The HTTP head of such a request, for an HTTP/1.1 keep-alive connection. */
export function createHead(scenario: Scenario, era: Era, port: number, length: number): string {
  const lines = [
    "POST /mcp HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    `Content-Length: ${length}`,
    ...createRoutingHeaders(scenario, era).map(([name, value]) => `${name}: ${value}`),
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

/** The headers that repeat what the body says. */
export function createRoutingHeaders(scenario: Scenario, era: Era): [string, string][] {
  if (era === "legacy") return [["MCP-Protocol-Version", "2025-11-25"]];
  if (scenario === "list")
    return [
      ["MCP-Protocol-Version", VERSION],
      ["Mcp-Method", "tools/list"],
    ];
  return [
    ["MCP-Protocol-Version", VERSION],
    ["Mcp-Method", "tools/call"],
    ["Mcp-Name", scenario],
  ];
}

/** Throws unless the messages of one answer (notices, then the result) are what the scenario must produce. */
export function checkAnswer(scenario: Scenario, era: Era, id: number, messages: readonly unknown[]): void {
  const last = messages.at(-1) as { jsonrpc?: unknown; id?: unknown; result?: Record<string, unknown> }; // checked below
  const { result } = last;
  expect(last.jsonrpc === "2.0" && last.id === id && result !== undefined, "a result with the request's id", last);
  if (result === undefined) return;
  if (era === "modern") expect(result.resultType === "complete", "resultType complete", result);
  const notices = messages.slice(0, -1) as {
    method?: unknown;
    params?: { progress?: unknown; progressToken?: unknown };
  }[];
  const due = scenario === "burst" ? BURST_NOTICES : scenario === "ticks" ? TICK_NOTICES : 0;
  expect(notices.length === due, `${due} notices`, notices.length);
  notices.forEach((notice, index) => {
    const right = notice.method === "notifications/progress" && notice.params?.progress === index + 1;
    expect(right && notice.params?.progressToken === "bench", "progress notices in order", notice);
  });
  checkResult(scenario, result);
}

function createArguments(scenario: Scenario): Record<string, string> {
  if (scenario === "greet") return { name: "Ada" };
  return { text: scenario === "argument" ? ARGUMENT_TEXT : "hi" };
}

function checkResult(scenario: Scenario, result: Record<string, unknown>): void {
  if (scenario === "list") {
    const tools = result.tools as { name?: unknown; inputSchema?: { type?: unknown }; outputSchema?: unknown }[];
    expect(tools.length === 100, "100 tools", tools.length);
    const whole = tools.every((tool) => tool.inputSchema?.type === "object" && tool.outputSchema !== undefined);
    expect(whole && tools[42]?.name === "greet_042", "whole tools", tools[42]);
    return;
  }
  const content = result.content as { type?: unknown; text?: unknown }[];
  const text = content[0]?.text;
  const wanted = {
    greet: '{"message":"Hello, Ada!"}',
    result: RESULT_TEXT,
    argument: String(ARGUMENT_TEXT.length),
    burst: "done",
    ticks: "done",
  }[scenario];
  expect(content.length === 1 && text === wanted && result.isError !== true, `the text of ${scenario}`, result);
  if (scenario === "greet") {
    const structured = result.structuredContent as { message?: unknown } | undefined;
    expect(structured?.message === "Hello, Ada!", "structured content", structured);
  }
}

function expect(right: boolean, what: string, got: unknown): void {
  if (!right) throw new Error(`Expected ${what}, received ${JSON.stringify(got)?.slice(0, 300)}`);
}
