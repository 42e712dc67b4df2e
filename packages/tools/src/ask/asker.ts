import type { JsonObject } from "@mortise/core";

/** What every question to a model has. */
interface Question {
  /** How the model is to behave. */
  readonly system?: string | undefined;
  readonly prompt: string;
  /** Another model than the provider's. */
  readonly model?: string | undefined;
}

/** A question that is answered in prose or code. */
export interface TextQuestion extends Question {}

/** A question that is answered with JSON. */
export interface JsonQuestion<T> extends Question {
  /** JSON Schema 2020-12 of `T`, an object: told to the model, and checked. */
  readonly schema: JsonObject;
  /** Says what else is wrong with an answer that fits the schema; `undefined` for nothing. */
  check?(value: T): string | undefined | Promise<string | undefined>;
}

/** A question that is answered with a picture. */
export interface ImageQuestion {
  readonly prompt: string;
  /** Width and height in pixels, such as "1024x1024". @default the provider's own */
  readonly size?: string | undefined;
  readonly model?: string | undefined;
}

/** An answer in prose or code. */
export interface TextAnswer {
  readonly text: string;
  /** The model that answered. */
  readonly model: string;
}

/** A picture. */
export interface ImageAnswer {
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
  readonly model: string;
}

/**
 * Asks one provider, within limits of time and size. Every method rejects with `ToolFailure` in words that help, and with the
 * signal's reason when the call was cancelled.
 */
export interface Asker {
  text(question: TextQuestion): Promise<TextAnswer>;
  /** An answer that is no JSON, does not fit or fails its check is asked for once more with what was wrong, then given up. */
  json<T>(question: JsonQuestion<T>): Promise<T>;
  image(question: ImageQuestion): Promise<ImageAnswer>;
}
