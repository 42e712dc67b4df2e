import { isObject, type JsonObject, MortiseError } from "@mortise/core";
import { createSource, type PageRequest, walkPages } from "./pages.js";
import type { Prompt } from "./prompts.js";
import type { Resource, ResourceTemplate } from "./resources.js";
import type { Tool } from "./tool-list.js";

/** The lists of a server, by method: what their pages hold. */
export interface Lists {
  readonly "tools/list": { readonly tools: readonly Tool[] };
  readonly "resources/list": { readonly resources: readonly Resource[] };
  readonly "resources/templates/list": { readonly resourceTemplates: readonly ResourceTemplate[] };
  readonly "prompts/list": { readonly prompts: readonly Prompt[] };
}

/** A method that lists something. */
export type ListMethod = keyof Lists;

/** One page of a list. Members this client does not know are kept. */
export type ListPage<Method extends ListMethod = ListMethod> = Lists[Method] & {
  /** Asks for the next page; missing on the last one. */
  readonly nextCursor?: string | undefined;
  readonly [member: string]: unknown;
};

/** What is known of each list. */
interface ListRow {
  /** The capability of servers that have it. */
  readonly capability: string;
  /** The member of a page that holds the items. */
  readonly member: string;
  /** Members that every item has, all of them strings; the first one names it. */
  readonly required: readonly string[];
}

const LISTS: Readonly<Record<ListMethod, ListRow>> = {
  "tools/list": { capability: "tools", member: "tools", required: ["name"] },
  "resources/list": { capability: "resources", member: "resources", required: ["uri"] },
  "resources/templates/list": { capability: "resources", member: "resourceTemplates", required: ["uriTemplate"] },
  "prompts/list": { capability: "prompts", member: "prompts", required: ["name"] },
};

/** How a list is asked for. */
export interface ListRequest extends PageRequest {
  /** What the server declared. */
  readonly capabilities: JsonObject;
}

/** Gives the items of every page of a list. */
export async function readItems(request: ListRequest & { readonly method: ListMethod }): Promise<unknown[]> {
  const items: unknown[] = [];
  const forget = (method: string): void => {
    items.length = 0;
    request.client.forget(method);
  };
  for await (const page of readPages({ ...request, client: { ...request.client, forget } }))
    items.push(...(page[LISTS[request.method].member] as unknown[])); // read just now
  return items;
}

/** Gives every page of a list with what can be used of it: items without a name are reported and left out. */
export async function* readPages(request: ListRequest): AsyncGenerator<JsonObject, void, void> {
  const { method, capabilities } = request;
  if (!isListMethod(method)) {
    yield* walkPages(createSource(request));
    return;
  }
  if (!hasList(method, capabilities)) return;
  const source = createSource(request, { [LISTS[method].member]: [] });
  for await (const page of walkPages(source)) yield readPage(method, page, source.onProblem);
}

/** Tells whether a method is a list that this client knows. */
function isListMethod(method: string): method is ListMethod {
  return Object.hasOwn(LISTS, method);
}

/**
 * Whether a server can be asked for a list. Servers written by hand often declare nothing at all; one that declares
 * something else means it.
 */
function hasList(method: ListMethod, capabilities: JsonObject): boolean {
  return capabilities[LISTS[method].capability] !== undefined || Object.keys(capabilities).length === 0;
}

function readPage(method: ListMethod, page: JsonObject, onProblem: (problem: Error) => void): JsonObject {
  const { member, required } = LISTS[method];
  const items = page[member];
  if (!Array.isArray(items))
    throw new MortiseError("invalid_response", `Expected "${member}" in the result of "${method}" to be an array`);
  const usable = items.filter((item) => isObject(item) && required.every((name) => typeof item[name] === "string"));
  if (usable.length === items.length) return page;
  const left = items.length - usable.length;
  onProblem(new MortiseError("invalid_response", `Left out ${left} of "${member}" without a "${required[0]}"`));
  return { ...page, [member]: usable };
}
