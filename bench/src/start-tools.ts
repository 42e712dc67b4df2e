/** Five tools in plain JSON Schema, for programs that measure how fast they give their first answer. */
export const START_TOOLS: readonly StartTool[] = ["read", "write", "list", "move", "remove"].map((name) => ({
  name: `${name}_file`,
  description: `Does ${name} on one file`,
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string" },
      depth: { type: "integer" },
      mode: { type: "string", enum: ["fast", "safe"] },
    },
    required: ["path"],
  },
}));

/** A tool with its input in plain JSON Schema. */
export interface StartTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: "object";
    readonly properties: Record<string, unknown>;
    readonly required: string[];
  };
}
