import { isObject, type JsonObject, projectContent, type Revision } from "@mortise/core";
import type { RegisteredTool } from "./registered-tool.js";

/** Makes a tool's result fit a revision: content kinds it knows, and structured output where and as it allows it. */
export function projectToolResult(
  result: JsonObject,
  revision: Revision,
  tool: RegisteredTool | undefined,
): JsonObject {
  const { content, structuredContent, ...rest } = result;
  const projected: JsonObject = rest;
  if (Array.isArray(content)) projected.content = projectContent(content, revision.content);
  if (structuredContent !== undefined && revision.structuredContent) {
    projected.structuredContent = mustWrap(structuredContent, revision, tool)
      ? { result: structuredContent }
      : structuredContent;
  }
  return projected;
}

/** What is listed decides, so that list and result agree; without a schema, the value does. */
function mustWrap(value: unknown, revision: Revision, tool: RegisteredTool | undefined): boolean {
  if (!revision.objectOutputOnly) return false;
  const schema = tool?.output;
  return schema === undefined ? !isObjectInJson(value) : schema.json.type !== "object";
}

/** An object may choose another form in JSON, as dates do. */
function isObjectInJson(value: unknown): boolean {
  return isObject(value) && (typeof value.toJSON !== "function" || isObject(value.toJSON()));
}
