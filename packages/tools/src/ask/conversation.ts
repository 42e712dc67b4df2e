import type { JsonObject } from "@mortise/core";

/** One message of a conversation. */
export interface Message {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** What is put to a model. */
export interface Conversation {
  readonly system: string | undefined;
  readonly messages: readonly Message[];
  readonly model: string | undefined;
  /** The form of the answer: any text, or JSON that fits a schema. */
  readonly schema: JsonObject | undefined;
}

/** Puts a conversation to a model, and resolves with what it said. */
export type Say = (conversation: Conversation) => Promise<{ readonly text: string; readonly model: string }>;
