import type { JsonObject } from "@mortise/core";

/** A tool that puts one question to one provider. */
export interface ToolCase {
  readonly args: JsonObject;
  /** What a model says that does well, without a fence. */
  readonly good: string;
  /** What a model says that cannot be used. */
  readonly bad: string;
  /** What comes of the good answer: structured content, or text. */
  readonly result: unknown;
}
