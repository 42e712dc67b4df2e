import type { Ask, ContentBlock, Icon, JsonObject } from "@mortise/core";
import type { HandlerContext } from "./context.js";
import type { InputRequired } from "./input-required.js";
import type { ItemHandle } from "./item-handle.js";
import type { AnySchema, InferInput, InferOutput } from "./schema/infer.js";
import type { Visible } from "./visible.js";

/** Hints about a tool's behaviour. Clients treat them as untrusted. https://modelcontextprotocol.io/specification/2026-07-28/schema#toolannotations */
export interface ToolAnnotations {
  readonly title?: string | undefined;
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
  readonly idempotentHint?: boolean | undefined;
  readonly openWorldHint?: boolean | undefined;
}

/** What a tool is, beside its name and its handler. */
export interface ToolDefinition<
  Input extends AnySchema | undefined = AnySchema | undefined,
  Output extends AnySchema | undefined = AnySchema | undefined,
> {
  /** A name for people. */
  readonly title?: string | undefined;
  /** What the tool does, for the model. */
  readonly description?: string | undefined;
  /** Describes the arguments: a Standard Schema with JSON Schema (zod 4, ArkType, Valibot), or plain JSON Schema. @default no arguments */
  readonly input?: Input;
  /** Describes the structured output. What a handler returns is validated by it, and the validated value is sent. */
  readonly output?: Output;
  readonly annotations?: ToolAnnotations | undefined;
  readonly icons?: readonly Icon[] | undefined;
  readonly _meta?: JsonObject | undefined;
  /** Questions the handler cannot do without. A caller that did not declare them is turned away before the handler runs. */
  readonly asks?: readonly Ask[] | undefined;
  /** Tells who may know of the tool, by their authorization alone. Lists with such tools are private to each caller. @default everybody */
  readonly visible?: Visible | undefined;
}

/** A tool as the constructor takes it, with plain JSON Schema under the protocol's own names. */
export interface ToolEntry extends Omit<ToolDefinition, "input" | "output"> {
  readonly name: string;
  readonly inputSchema?: AnySchema | undefined;
  readonly outputSchema?: AnySchema | undefined;
  /** Does the tool's work, like the handler of `tool()`, which knows the types of the schemas besides. */
  handler(
    args: Record<string, unknown>,
    context: HandlerContext,
  ): ToolReturn<undefined> | PromiseLike<ToolReturn<undefined>>;
}

/** A whole `tools/call` result. https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result */
export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
  readonly _meta?: JsonObject | undefined;
  readonly [member: string]: unknown;
}

/**
 * What a handler may return: text, a block, several blocks, a whole result, or — always with an output schema — the structured value;
 * and in place of a result, what `inputRequired` makes.
 */
export type ToolReturn<Output extends AnySchema | undefined> = Output extends AnySchema
  ? InferInput<Output> | ToolResult | InputRequired
  : string | number | boolean | null | undefined | object;

/** The arguments a handler receives: the validated output of the input schema. */
export type ToolArguments<Input extends AnySchema | undefined> = Input extends AnySchema
  ? InferOutput<Input>
  : Record<string, never>;

/** Does a tool's work. An error it throws becomes a result with `isError`; a thrown `JsonRpcError` is sent as it is. */
export type ToolHandler<Input extends AnySchema | undefined, Output extends AnySchema | undefined> = (
  args: ToolArguments<Input>,
  context: HandlerContext,
) => ToolReturn<Output> | PromiseLike<ToolReturn<Output>>;

/** What `update` of a tool's handle replaces. */
export type ToolChange<
  Input extends AnySchema | undefined = AnySchema | undefined,
  Output extends AnySchema | undefined = AnySchema | undefined,
> = ToolDefinition<Input, Output> & { readonly handler?: NoInfer<ToolHandler<Input, Output>> | undefined };

/** Changes one registered tool. */
export interface ToolHandle<
  Input extends AnySchema | undefined = AnySchema | undefined,
  Output extends AnySchema | undefined = AnySchema | undefined,
> extends Omit<ItemHandle<ToolChange>, "update"> {
  /**
   * Replaces parts of the definition, or the handler, which knows the types of the schemas that come with it, or of those the tool
   * was registered with. Throws like `tool()`, and then leaves the tool as it was.
   */
  update<
    const NextInput extends AnySchema | undefined = Input,
    const NextOutput extends AnySchema | undefined = Output,
  >(change: ToolChange<NextInput, NextOutput>): void;
}
