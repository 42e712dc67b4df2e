import { isObject } from "@mortise/core";
import { expectOption, refuseNames } from "./check-options.js";
import { createItemHandle } from "./item-handle.js";
import { createResource, type RegisteredResource } from "./registered-resource.js";
import type {
  ResourceChange,
  ResourceDefinition,
  ResourceEntry,
  ResourceHandle,
  ResourceHandler,
} from "./resource-definition.js";
import { isTemplate } from "./resource-listing.js";
import type { ServerCore } from "./server-core.js";

/** The constructor takes the handler with the definition. */
const ENTRY_NAMES: readonly (readonly [string, string])[] = [["handler", "read"]];

/** Registers a resource or template and gives its handle. Throws like `createResource`, and `duplicate_name`. */
export function registerResource(
  core: ServerCore,
  uri: string,
  definition: ResourceDefinition,
  handler: ResourceHandler,
): ResourceHandle {
  const resource = createResource(uri, definition, handler);
  const registry = isTemplate(uri) ? core.templates : core.resources;
  const place = registry.add(resource);
  offerCompletions(core, resource);
  const { name: _, ...handle } = createItemHandle(registry, { name: uri, place }, (current, change: ResourceChange) =>
    rebuild(core, current, change),
  );
  return { uri, ...handle };
}

/** Registers a resource or template of the constructor. Throws like `registerResource`. */
export function registerResourceEntry(core: ServerCore, entry: ResourceEntry): void {
  expectOption(isObject(entry), 'an entry of "resources"', "an object", entry);
  const { uri, uriTemplate, read, ...definition } = entry;
  const where = `resource "${uri ?? uriTemplate}" of "resources"`;
  refuseNames(entry, ENTRY_NAMES, where);
  const holds = uri === undefined ? isTemplate(uriTemplate) : uriTemplate === undefined && !isTemplate(uri);
  expectOption(holds, where, 'an address in "uri" or a template with variables in "uriTemplate"', uri ?? uriTemplate);
  registerResource(core, uri ?? String(uriTemplate), definition, read);
}

function rebuild(
  core: ServerCore,
  resource: RegisteredResource,
  { read, ...definition }: ResourceChange,
): RegisteredResource {
  const changed = { ...resource.definition, ...definition };
  const built = createResource(resource.name, changed, read ?? resource.handler, resource.enabled);
  offerCompletions(core, built);
  return built;
}

function offerCompletions(core: ServerCore, { completers }: RegisteredResource): void {
  if (completers.size > 0) core.turnOn("completions");
}
