import type { AudioContent, ImageContent, Implementation, JsonObject, TextContent } from "@mortise/core";

/** What a question comes with, besides what is asked. */
export interface QuestionContext {
  /** Aborted once nobody waits for the answer any more: close what was opened to get it. */
  readonly signal: AbortSignal;
  /** Who asks, as the server calls itself: show it to the user. */
  readonly serverInfo: Implementation | undefined;
}

/** A form that the user is to fill in. Never to be used for secrets. */
export interface FormRequest {
  readonly mode: "form";
  /** Why the answer is needed. */
  readonly message: string;
  /** The fields: a JSON Schema of an object with strings, numbers, booleans and choices. */
  readonly requestedSchema: JsonObject;
  readonly _meta?: JsonObject | undefined;
  readonly [member: string]: unknown;
}

/** A page that the user is to visit. Show the whole address, and open it only when the user agrees. */
export interface UrlRequest {
  readonly mode: "url";
  /** Why the page is to be visited. */
  readonly message: string;
  /** An `http:` or `https:` address. */
  readonly url: string;
  /** Names the visit; `notifications/elicitation/complete` of 2025-11-25 repeats it. */
  readonly elicitationId?: string | undefined;
  readonly _meta?: JsonObject | undefined;
  readonly [member: string]: unknown;
}

/** A question to the user. https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation */
export type ElicitRequest = FormRequest | UrlRequest;

/** What a form was filled in with. */
export type FormContent = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** What the user did: agreed (with `content` for a form), refused, or closed it without a choice. */
export type ElicitAnswer =
  | { readonly action: "accept"; readonly content?: FormContent | undefined }
  | { readonly action: "decline" | "cancel" };

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

/** Any block of a message for or from a model. */
export type SampleBlock = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent;

/** One message for or from a model. */
export interface SampleMessage {
  readonly role: "user" | "assistant";
  readonly content: SampleBlock | readonly SampleBlock[];
  readonly _meta?: JsonObject | undefined;
}

/** A question to a model. https://modelcontextprotocol.io/specification/2026-07-28/client/sampling */
export interface SampleRequest {
  readonly messages: readonly SampleMessage[];
  /** The most tokens to be made. */
  readonly maxTokens: number;
  readonly systemPrompt?: string | undefined;
  readonly modelPreferences?: JsonObject | undefined;
  readonly includeContext?: "none" | "thisServer" | "allServers" | undefined;
  readonly temperature?: number | undefined;
  readonly stopSequences?: readonly string[] | undefined;
  /** For the model's provider. */
  readonly metadata?: JsonObject | undefined;
  /** Tools that the model may use: `name`, `description` and `inputSchema` each. */
  readonly tools?: readonly JsonObject[] | undefined;
  readonly toolChoice?: { readonly mode?: "auto" | "required" | "none" | undefined } | undefined;
  readonly _meta?: JsonObject | undefined;
  readonly [member: string]: unknown;
}

/** What the model said. Several blocks need a server of 2025-11-25 or newer. */
export interface SampleAnswer {
  /** @default "assistant" */
  readonly role?: "user" | "assistant" | undefined;
  readonly content: SampleBlock | readonly SampleBlock[];
  /** Which model it was. */
  readonly model: string;
  /** Why it stopped: "endTurn", "stopSequence", "maxTokens", "toolUse", or a word of its provider. */
  readonly stopReason?: string | undefined;
  readonly _meta?: JsonObject | undefined;
}

/** A folder that the client works on. https://modelcontextprotocol.io/specification/2026-07-28/client/roots */
export interface Root {
  /** A `file:` URI. */
  readonly uri: string;
  readonly name?: string | undefined;
  readonly _meta?: JsonObject | undefined;
}

/**
 * Who answers the questions of a server. What is given is declared as a capability by itself. What a handler throws rejects
 * the call that led to the question; where a server asks by a request of its own, it is told of a `JsonRpcError` as it is, and
 * of anything else without details.
 */
export interface QuestionHandlers {
  /** Puts a form or a page to the user. Defaults of a form are filled in, and what was filled in is checked. @default not declared */
  readonly onElicit?:
    | ((request: ElicitRequest, context: QuestionContext) => ElicitAnswer | Promise<ElicitAnswer>)
    | undefined;
  /** Asks a model, with tools where the server names some. @default not declared */
  readonly onSample?:
    | ((request: SampleRequest, context: QuestionContext) => SampleAnswer | Promise<SampleAnswer>)
    | undefined;
  /** Tells which folders the client works on. @default not declared */
  readonly onRoots?: ((context: QuestionContext) => readonly Root[] | Promise<readonly Root[]>) | undefined;
}
