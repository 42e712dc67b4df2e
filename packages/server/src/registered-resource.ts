import {
  type Ask,
  createUriMatcher,
  isObject,
  type JsonObject,
  parseUriTemplate,
  type Revision,
  type UriMatcher,
} from "@mortise/core";
import { expectOption, refuseNames } from "./check-options.js";
import { type Completers, readCompleters } from "./completer.js";
import { readCache } from "./read-options.js";
import { readRequiredAsks } from "./required-asks.js";
import type { ResourceDefinition, ResourceHandler } from "./resource-definition.js";
import { createResourceListing, isTemplate, toRevisionResource } from "./resource-listing.js";
import type { CacheHint } from "./server-options.js";
import { readVisible, type Visible } from "./visible.js";

/** A resource, or a template of resources, with everything built that can be built before it is read. */
export interface RegisteredResource {
  /** The address, or the text of the template. */
  readonly name: string;
  readonly enabled: boolean;
  readonly visible: Visible | undefined;
  readonly definition: ResourceDefinition;
  readonly handler: ResourceHandler;
  /** Tells which addresses are a template's. */
  readonly matcher: UriMatcher | undefined;
  readonly completers: Completers;
  readonly asks: readonly Ask[];
  /** The definition as the newest revision lists it. */
  readonly listing: JsonObject;
  /** The JSON text of the definition as a revision lists it. */
  listed(revision: Revision): string;
  /** How what was read may be kept, made from how it is usually. */
  hint(usual: CacheHint): CacheHint;
}

const NAMES_ELSEWHERE: readonly (readonly [string, string])[] = [
  ["mimetype", "mimeType"],
  ["contentType", "mimeType"],
];

/** Addresses are compared as they are, so this only keeps out what can be no URI. */
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:[^\s\p{Control}"<>\\^`{|}\p{Surrogate}]*$/u;
/** Whatever a template begins with, it makes addresses with a scheme. */
const BEGINNING = /^(?:[A-Za-z][A-Za-z0-9+.-]*:|[A-Za-z]?[A-Za-z0-9+.-]*\{)/;

/** Builds a resource, or a template where the address has variables. Throws a `MortiseError` naming it when it cannot be served. */
export function createResource(
  uri: string,
  definition: ResourceDefinition,
  handler: ResourceHandler,
  enabled = true,
): RegisteredResource {
  const where = `resource "${uri}"`;
  const matcher = isTemplate(uri) ? createUriMatcher(parseUriTemplate(uri)) : undefined;
  const holds = typeof uri === "string" && (matcher === undefined ? URI : BEGINNING).test(uri);
  const what = typeof uri === "string" ? `the address of ${where}` : "a resource's address";
  expectOption(holds, what, 'a URI with a scheme, such as "file:///a"', uri);
  expectOption(isObject(definition), `the definition of ${where}`, "an object", definition);
  expectOption(typeof handler === "function", `the handler of ${where}`, "a function", handler);
  refuseNames(definition, NAMES_ELSEWHERE, `the definition of ${where}`);
  const visible = readVisible(definition.visible, where);
  expectList(definition.list, matcher !== undefined, where);
  const listing = createResourceListing(uri, definition);
  const texts = new Map<Revision, string>();
  return {
    name: uri,
    enabled,
    visible,
    definition,
    handler,
    matcher,
    completers: readCompleters(definition.complete, matcher?.template.names ?? [], where),
    asks: readRequiredAsks(definition.asks, where),
    listing,
    listed(revision) {
      let text = texts.get(revision);
      if (text === undefined) {
        text = JSON.stringify(toRevisionResource(listing, revision));
        texts.set(revision, text);
      }
      return text;
    },
    hint: createHint(definition, where),
  };
}

function expectList(list: unknown, template: boolean, where: string): void {
  const holds = list === undefined || (template && typeof list === "function");
  expectOption(holds, `"list" of ${where}`, template ? "a function" : "left out, since it is no template", list);
}

/** What not everybody may see is never shared. */
function createHint({ cache, visible }: ResourceDefinition, where: string): (usual: CacheHint) => CacheHint {
  if (cache === undefined && visible === undefined) return (usual) => usual;
  readCache(cache, "cache", ` of ${where}`);
  return (usual) => {
    const hint = { ...usual, ...cache };
    return visible === undefined ? hint : { ...hint, scope: "private" };
  };
}
