/** What the referee expects of one run. */
export interface Expectation {
  readonly scenario: string;
  readonly protocolVersion: string;
  /** What the scenario gives to its client, such as an identity at an authorization server. */
  readonly context: ExpectedContext;
}

/** What a scenario gives to its client, read member by member. */
export interface ExpectedContext {
  /** Gives a member that is a text. Throws for one that is missing. */
  text(name: string): string;
  /** The calls to make, for scenarios that name them. */
  readonly toolCalls: readonly ToolCall[];
}

/** One call to make. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

/** Reads what the referee put into the environment. Throws when it is not the referee's. */
export function readExpectation(env: NodeJS.ProcessEnv): Expectation {
  const {
    MCP_CONFORMANCE_SCENARIO: scenario,
    MCP_CONFORMANCE_PROTOCOL_VERSION: protocolVersion,
    MCP_CONFORMANCE_CONTEXT: context = "{}",
  } = env;
  if (scenario === undefined || protocolVersion === undefined)
    throw new Error("Expected MCP_CONFORMANCE_SCENARIO and MCP_CONFORMANCE_PROTOCOL_VERSION in the environment");
  return { scenario, protocolVersion, context: readContext(JSON.parse(context)) };
}

function readContext(members: Record<string, unknown>): ExpectedContext {
  return {
    text(name) {
      const value = members[name];
      if (typeof value !== "string") throw new Error(`Expected "${name}" in the context to be a string`);
      return value;
    },
    get toolCalls() {
      const { toolCalls } = members;
      if (!Array.isArray(toolCalls)) throw new Error('Expected "toolCalls" in the context to be an array');
      return toolCalls as ToolCall[]; // the referee's own, in a fixture of its own
    },
  };
}
