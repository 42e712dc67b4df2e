import { isObject, type JsonObject } from "@mortise/core";
import type { Call } from "./call.js";
import { HandlerContext } from "./context.js";
import { toSentError } from "./handler-failure.js";
import { encodeCursor, readPosition } from "./list-pages.js";
import type { RegisteredResource } from "./registered-resource.js";
import type { ListedResource } from "./resource-definition.js";
import { createResourceListing, isTemplate, toRevisionResource } from "./resource-listing.js";
import type { CacheHint } from "./server-options.js";
import { findShown, isShown } from "./visible.js";

/** The name of the list in cursors. */
const LIST = "listed";

/** The templates that list resources themselves, as far as the caller may know of them. */
export function findListers(call: Call): readonly RegisteredResource[] {
  return call.server.templates.served().filter((each) => each.definition.list !== undefined && isShown(each, call));
}

/** How lists may be kept: never shared while what is listed depends on the caller. */
export function hintListed({ server: { pages, templates } }: Call, usual: CacheHint): CacheHint {
  const hint = pages.resources.hint(usual);
  const guarded = templates.served().some(({ definition: { list, visible } }) => list && visible);
  return guarded ? { ...hint, scope: "private" } : hint;
}

/**
 * One page of the registered resources and those that templates list, which follow. Their cursors count the latter from one,
 * since a page can end where they begin.
 */
export async function listWithTemplates(
  call: Call,
  templates: readonly RegisteredResource[],
  cursor: string | undefined,
): Promise<JsonObject> {
  const { pages, settings } = call.server;
  const position = cursor === undefined ? undefined : readPosition(LIST, cursor);
  const first = position === undefined ? pages.resources.page(call, cursor).decode() : { resources: [] };
  const registered = Array.isArray(first.resources) ? first.resources : [];
  if (first.nextCursor !== undefined) return first;
  const start = (position ?? 1) - 1;
  const end = start + settings.pageSize - registered.length;
  const listed = (await Promise.all(templates.map((template) => readList(call, template)))).flat();
  return {
    resources: [...registered, ...listed.slice(start, end)],
    ...(listed.length > end ? { nextCursor: encodeCursor(LIST, end + 1) } : {}),
  };
}

async function readList(call: Call, template: RegisteredResource): Promise<readonly JsonObject[]> {
  try {
    const listed: unknown = await template.definition.list?.(new HandlerContext(call));
    if (!Array.isArray(listed)) throw unfit(template, "an array");
    return listed.flatMap((each) => toListing(call, template, each));
  } catch (error) {
    throw toSentError(call, template.name, error);
  }
}

/** What is registered as well is listed already. */
function toListing(call: Call, template: RegisteredResource, listed: unknown): readonly JsonObject[] {
  if (!isObject(listed) || !fits(template, listed.uri)) throw unfit(template, 'objects with a "uri" that it fits');
  const { uri, ...rest } = listed as unknown as ListedResource; // the uri was checked, the rest is on its way to the list
  if (findShown(call.server.resources, uri, call) !== undefined) return [];
  const listing = createResourceListing(uri, { mimeType: template.definition.mimeType, ...rest });
  return [toRevisionResource(listing, call.revision)];
}

function fits({ matcher }: RegisteredResource, uri: unknown): boolean {
  return typeof uri === "string" && !isTemplate(uri) && matcher?.match(uri) !== undefined;
}

function unfit({ name }: RegisteredResource, expected: string): TypeError {
  return new TypeError(`Expected "list" of resource "${name}" to return ${expected}`);
}
