import type { JsonObject } from "@mortise/core";
import type { ToolAnnotations, ToolReturn } from "@mortise/server";
import type { Asker } from "./ask/asker.js";
import type { Provider, ProviderSet } from "./providers/provider.js";

/** What a client sees of a tool, and where the rest of it is. Loaded at start, so it is data alone. */
export interface ToolSpec<Args = never> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of the arguments, without `provider`, which every tool gets, unless it means something of its own by it. */
  readonly input: JsonObject;
  /** JSON Schema of the structured content, where there is any. */
  readonly output?: JsonObject | undefined;
  readonly annotations: ToolAnnotations;
  /** Which kind of provider is found before it runs. With "nothing" the tool reads the argument `provider` itself. @default "text" */
  readonly needs?: "text" | "image" | "nothing" | undefined;
  /** Loads what the tool does, with its first call. */
  load(): Promise<{ readonly run: Run<Args> }>;
}

/** What a tool does. The arguments have been checked against the schema. */
export type Run<Args> = (args: Args, context: RunContext) => ToolReturn<undefined> | Promise<ToolReturn<undefined>>;

/** What a tool has to work with. */
export interface RunContext {
  /** Asks the provider of the call. */
  readonly ask: Asker;
  /** The provider of the call; `undefined` where the tool needs none, or the client's own model answers. */
  readonly provider: Provider | undefined;
  readonly providers: ProviderSet;
  /** The provider that the server was told to use where calls name none, whether it is configured or not. */
  readonly preferred: string | undefined;
  /** Makes an asker for another provider than the call's. */
  askOf(provider: Provider): Asker;
  /** Aborts when the caller gives up or the time of the call is over. */
  readonly signal: AbortSignal;
  /** Tells the caller what is being done, where it wants to know. */
  progress(message: string): void;
}
