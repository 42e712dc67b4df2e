import type { Ask, ContentBlock, Icon, JsonObject } from "@mortise/core";
import type { Completer } from "./completer.js";
import type { HandlerContext } from "./context.js";
import type { InputRequired } from "./input-required.js";
import type { ItemHandle } from "./item-handle.js";
import type { AnySchema, InferOutput } from "./schema/infer.js";
import type { Visible } from "./visible.js";

/** One argument of a prompt, as it is listed. */
export interface PromptArgument {
  readonly name: string;
  /** A name for people. */
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Whether the prompt cannot be had without it. @default false */
  readonly required?: boolean | undefined;
}

/** Whatever can describe the arguments of a prompt: a schema of an object, or a plain list. */
export type PromptInput = AnySchema | readonly PromptArgument[];

/** The arguments a prompt's handler receives: the validated output of the schema, or the strings of a plain list. */
export type PromptArguments<Input extends PromptInput | undefined> = Input extends readonly PromptArgument[]
  ? ListedArguments<Input[number]>
  : Input extends AnySchema
    ? InferOutput<Input>
    : Record<string, never>;

type ListedArguments<Each extends PromptArgument> = string extends Each["name"]
  ? Record<string, string | undefined>
  : Flatten<
      { -readonly [Item in Each as Item extends Required ? Item["name"] : never]: string } & {
        -readonly [Item in Each as Item extends Required ? never : Item["name"]]?: string;
      }
    >;

type Required = { readonly required: true };
type Flatten<T> = { [Key in keyof T]: T[Key] };

/** What a prompt is, beside its name and its handler. */
export interface PromptDefinition<Input extends PromptInput | undefined = PromptInput | undefined> {
  /** A name for people. */
  readonly title?: string | undefined;
  /** What the prompt is for. */
  readonly description?: string | undefined;
  /**
   * Describes the arguments: a Standard Schema with JSON Schema (zod 4, ArkType, Valibot), plain JSON Schema, or a list. On
   * the wire every argument is a string; a schema may make something else of it. @default no arguments
   */
  readonly input?: Input;
  /** Proposes values while somebody fills an argument in, by the argument's name. */
  readonly complete?: { readonly [Name in keyof PromptArguments<Input>]?: Completer | undefined } | undefined;
  readonly icons?: readonly Icon[] | undefined;
  readonly _meta?: JsonObject | undefined;
  /** Questions the handler cannot do without. A caller that did not declare them is turned away before the handler runs. */
  readonly asks?: readonly Ask[] | undefined;
  /** Tells who may know of the prompt, by their authorization alone. Lists with such prompts are private to each caller. @default everybody */
  readonly visible?: Visible | undefined;
}

/** A prompt as the constructor takes it, with its arguments under the protocol's own name. */
export interface PromptEntry extends Omit<PromptDefinition, "input" | "complete"> {
  readonly name: string;
  readonly arguments?: readonly PromptArgument[] | undefined;
  readonly complete?: Readonly<Record<string, Completer | undefined>> | undefined;
  readonly handler: PromptHandler<readonly PromptArgument[]>;
}

/** One message of a prompt. https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#promptmessage */
export interface PromptMessage {
  readonly role: "user" | "assistant";
  /** A block, or the text of one. */
  readonly content: ContentBlock | string;
}

/** A whole `prompts/get` result. https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#getting-a-prompt */
export interface PromptResult {
  readonly messages: readonly (PromptMessage | ContentBlock | string)[];
  readonly description?: string | undefined;
  readonly _meta?: JsonObject | undefined;
}

/**
 * What a prompt's handler may return: a message, several, or a whole result; and in their place, what `inputRequired` makes. Text or
 * a block alone is a message of the user.
 */
export type PromptReturn =
  | string
  | ContentBlock
  | PromptMessage
  | PromptResult
  | PromptResult["messages"]
  | InputRequired;

/** Makes the messages of a prompt. What it throws is answered with an internal error; a thrown `JsonRpcError` is sent as it is. */
export type PromptHandler<Input extends PromptInput | undefined> = (
  args: PromptArguments<Input>,
  context: HandlerContext,
) => PromptReturn | PromiseLike<PromptReturn>;

/** What `update` of a prompt's handle replaces. */
export type PromptChange<Input extends PromptInput | undefined = PromptInput | undefined> = Omit<
  PromptDefinition<Input>,
  "complete"
> & {
  readonly complete?: Readonly<Record<string, Completer | undefined>> | undefined;
  readonly handler?: PromptHandler<Input> | undefined;
};

/** Changes one registered prompt. */
export interface PromptHandle<Input extends PromptInput | undefined = PromptInput | undefined>
  extends Omit<ItemHandle<PromptChange>, "update"> {
  /**
   * Replaces parts of the definition, or the handler, which knows the types of the arguments that come with it, or of those the prompt
   * was registered with. Throws like `prompt()`, and then leaves the prompt as it was.
   */
  update<const NextInput extends PromptInput | undefined = Input>(change: PromptChange<NextInput>): void;
}
