import type { Era, Target } from "./peer-client.js";

/** Where a server with every feature is, and by which transport. */
export type FeatureTarget = Target | { readonly sse: string };

/** How a client's user and model answer, and what its program does with what it hears. */
export interface Behaviour {
  readonly elicit: (mode: string) => { readonly action: "accept" | "decline"; readonly content?: { name: string } };
  /** Hears of changes and log messages: the method, and what it is about. */
  readonly hear: (method: string, about: string) => void;
}

/** What one call may ask for. */
export interface FeatureCall {
  /** The least severe log message that is wanted. */
  readonly logLevel?: "warning";
}

/** A connected client. A request rejects with an error that has the JSON-RPC `code`, where the server sent one. */
export interface FeatureConnection {
  readonly era: Era;
  readonly sessionId: string | undefined;
  /** Whether the server said that it tells of changed lists. */
  readonly announcesLists: boolean;
  /** Calls a tool and gives its text; rejects for an error result. */
  call(name: string, options?: FeatureCall): Promise<string>;
  listResources(): Promise<readonly string[]>;
  listTemplates(): Promise<readonly string[]>;
  /** Text, or base64. */
  read(uri: string): Promise<string>;
  listPrompts(): Promise<readonly string[]>;
  getPrompt(name: string, args?: Record<string, string>): Promise<string>;
  /** Proposals for "language" of the prompt "greet", with "name" settled. */
  completeLanguage(typed: string, name: string): Promise<readonly string[]>;
  /** Begins to hear of one resource. */
  watch(uri: string): Promise<void>;
  /** Begins to hear of changed lists, where something has to be done for it. */
  listen(): Promise<void>;
  /**
   * Calls a tool, loses the connection before its answer is complete, and fetches the answer with another client that goes on
   * with the session.
   */
  resume(name: string): Promise<string>;
  /** Ends its session, if it has one. */
  end(): Promise<void>;
  close(): Promise<void>;
}

/** An official client in one of its modes. */
export interface FeatureClient {
  readonly name: string;
  /** The era it chooses with a server that has both. */
  readonly era: Era;
  /** The error number that it makes of a resource that does not exist. */
  readonly notFound: -32002 | -32602;
  /** Whether it has the transport of 2024-11-05. */
  readonly speaksSse: boolean;
  connect(target: FeatureTarget, behaviour: Behaviour): Promise<FeatureConnection>;
}

export const ABOUT = { name: "peer", version: "1.0.0" } as const;
/** Everything that a client can declare. */
export const CAPABILITIES = {
  elicitation: { form: { applyDefaults: true }, url: {} },
  sampling: { tools: {} },
  roots: {},
} as const;
export const ROOTS: { roots: { uri: string; name: string }[] } = { roots: [{ uri: "file:///work", name: "Work" }] };

/** What the client's model says. */
export function createMessage(): { role: "assistant"; model: string; content: { type: "text"; text: string } } {
  return { role: "assistant", model: "some-model", content: { type: "text", text: "No" } };
}

/** The text of a tool's result. Throws for an error result. */
export function readText(result: { readonly [member: string]: unknown }): string {
  const [block] = result.content as { text?: string }[]; // every tool here gives text
  if (result.isError === true) throw new Error(block?.text);
  return block?.text ?? "";
}
