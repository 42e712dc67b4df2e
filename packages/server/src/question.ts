import type { Annotations, AudioContent, ImageContent, JsonObject, TextContent } from "@mortise/core";
import type { AnySchema, InferOutput } from "./schema/infer.js";

/**
 * Asks the user to fill in a form. Never for secrets: those belong on a page of their own (`ElicitUrl`).
 * https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#form-mode-elicitation-requests
 */
export interface ElicitForm<Schema extends AnySchema = AnySchema> {
  /** Why the answer is needed, for the user. */
  readonly message: string;
  /** The fields: an object of strings, numbers, booleans and choices of strings, as a Standard Schema or plain JSON Schema. */
  readonly schema: Schema;
  /** Names the question, so that its answer is known again when the handler runs again. @default made from what is asked */
  readonly key?: string | undefined;
}

/**
 * Asks the user to visit a page. That the user agreed does not mean that it is done.
 * https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#url-mode-elicitation-requests
 */
export interface ElicitUrl {
  /** Why the page is to be visited, for the user. */
  readonly message: string;
  readonly url: string | URL;
  /** Names the visit to clients of 2025-11-25. @default random */
  readonly elicitationId?: string | undefined;
  /** Names the question. @default made from what is asked */
  readonly key?: string | undefined;
}

/** What a model asks to be done. */
export interface ToolUseContent {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly _meta?: JsonObject | undefined;
}

/** What came of something a model asked to be done. */
export interface ToolResultContent {
  readonly type: "tool_result";
  readonly toolUseId: string;
  readonly content: readonly JsonObject[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
  readonly _meta?: JsonObject | undefined;
}

/** Any block of a message for or from the client's model. */
export type SampleBlock = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent;

/** One message for or from the client's model. */
export interface SampleMessage {
  readonly role: "user" | "assistant";
  readonly content: SampleBlock | readonly SampleBlock[];
  readonly annotations?: Annotations | undefined;
  readonly _meta?: JsonObject | undefined;
}

/**
 * Asks the client's model. https://modelcontextprotocol.io/specification/2026-07-28/client/sampling
 */
export interface Sample {
  readonly messages: readonly SampleMessage[];
  /** The most tokens to be made. */
  readonly maxTokens: number;
  readonly systemPrompt?: string | undefined;
  readonly modelPreferences?:
    | {
        readonly hints?: readonly { readonly name?: string | undefined }[] | undefined;
        /** These three from 0 to 1. */
        readonly costPriority?: number | undefined;
        readonly speedPriority?: number | undefined;
        readonly intelligencePriority?: number | undefined;
      }
    | undefined;
  /** Left out for clients that do not say they can do more than "none". */
  readonly includeContext?: "none" | "thisServer" | "allServers" | undefined;
  readonly temperature?: number | undefined;
  readonly stopSequences?: readonly string[] | undefined;
  /** Passed on to the model's provider. */
  readonly metadata?: JsonObject | undefined;
  /** Tools that the model may use: `name`, `description` and `inputSchema` each. Needs a client that can `sample.tools`. */
  readonly tools?: readonly JsonObject[] | undefined;
  readonly toolChoice?: { readonly mode?: "auto" | "required" | "none" | undefined } | undefined;
  /** Names the question. @default made from what is asked */
  readonly key?: string | undefined;
}

/** Asks which folders the client works on. https://modelcontextprotocol.io/specification/2026-07-28/client/roots */
export interface ListRoots {
  /** Names the question. @default made from what is asked */
  readonly key?: string | undefined;
}

/** Any question, as `ctx.ask` and `inputRequired` take it. */
export type Question =
  | { readonly elicit: ElicitForm | ElicitUrl }
  | { readonly sample: Sample }
  | { readonly roots: ListRoots };

/** What became of a form. Content is what the schema made of what was filled in. */
export type FormAnswer<Content = JsonObject> =
  | { readonly action: "accept"; readonly content: Content }
  | { readonly action: "decline" }
  | { readonly action: "cancel" };

/** Whether the user agreed to visit a page. */
export interface UrlAnswer {
  readonly action: "accept" | "decline" | "cancel";
  /** A page gives none. */
  readonly content?: undefined;
}

/** What the client's model said. */
export interface SampleAnswer {
  readonly role: "user" | "assistant";
  readonly content: SampleBlock | SampleBlock[];
  /** Which model it was. */
  readonly model: string;
  /** Why it stopped: "endTurn", "stopSequence", "maxTokens", "toolUse", or a word of the client's own. */
  readonly stopReason?: string | undefined;
  readonly _meta?: JsonObject | undefined;
}

/** The folders the client works on. */
export interface RootsAnswer {
  readonly roots: readonly {
    /** A `file:` URI. */
    readonly uri: string;
    readonly name?: string | undefined;
    readonly _meta?: JsonObject | undefined;
  }[];
}

/** The answer to one question. */
export type AnswerTo<Q> = Q extends { readonly elicit: infer Elicited }
  ? Elicited extends { readonly schema: infer Schema }
    ? FormAnswer<InferOutput<Schema>>
    : UrlAnswer
  : Q extends { readonly sample: unknown }
    ? SampleAnswer
    : RootsAnswer;

/** Any answer, as `ctx.inputResponses` holds it. */
export type InputResponse = FormAnswer | UrlAnswer | SampleAnswer | RootsAnswer;

/** Puts a form or a page to the user. */
export interface Elicit {
  <const Schema extends AnySchema>(form: ElicitForm<Schema>): Promise<FormAnswer<InferOutput<Schema>>>;
  (page: ElicitUrl): Promise<UrlAnswer>;
}

/** Puts several questions at once. The names are their keys. */
export type AskSeveral = <const Questions extends Readonly<Record<string, Question>>>(
  questions: Questions,
) => Promise<{ -readonly [Name in keyof Questions]: AnswerTo<Questions[Name]> }>;
