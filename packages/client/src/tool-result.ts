import { type ContentBlock, isObject, type JsonObject } from "@mortise/core";

/** What a tool gave back. Members this client does not know are kept. */
export interface ToolResult {
  readonly content: readonly ContentBlock[];
  /** Machine-readable output: any JSON value, or `undefined` when the tool has none. */
  readonly structuredContent?: unknown;
  /** Whether the tool failed; `content` then says why. */
  readonly isError: boolean;
  /** The text blocks, joined by newlines. */
  readonly text: string;
  readonly [member: string]: unknown;
}

/** Reads the result of `tools/call`. A failure that some servers mark on a block is a failure of the tool. */
export function readToolResult(result: JsonObject): ToolResult {
  const blocks: readonly unknown[] = Array.isArray(result.content) ? result.content : [];
  let text: string | undefined;
  let isError = result.isError === true;
  for (const block of blocks) {
    if (!isObject(block)) continue;
    if (block.isError === true) isError = true;
    if (block.type === "text" && typeof block.text === "string")
      text = text === undefined ? block.text : `${text}\n${block.text}`;
  }
  // The object was parsed for this call alone, and copying it costs as much as everything else here.
  return Object.assign(result, { content: blocks as readonly ContentBlock[], isError, text: text ?? "" });
}
