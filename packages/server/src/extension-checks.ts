import { isObject, type JsonObject } from "@mortise/core";
import { expectOption, readDisplay } from "./check-options.js";
import type { Extension, ListenFilter } from "./extension.js";

/** Labels of a domain, a slash, a name. https://modelcontextprotocol.io/specification/2026-07-28/basic#meta */
const ID = /^[a-z](?:[a-z\d-]*[a-z\d])?(?:\.[a-z](?:[a-z\d-]*[a-z\d])?)*\/[a-z\d](?:[\w.-]*[a-z\d])?$/i;
const LONGEST_ID = 256;
const CORE_FILTER: ReadonlySet<unknown> = new Set([
  "toolsListChanged",
  "promptsListChanged",
  "resourcesListChanged",
  "resourceSubscriptions",
]);

/** Refuses what is no extension, and gives a copy of its settings. Throws `invalid_options`. */
export function checkExtension(extension: Extension, coreTypes: ReadonlySet<unknown>): JsonObject {
  expectOption(isObject(extension), "an extension", "an object", extension);
  const { id, negotiated, aroundToolCall, listenFilter } = extension;
  const named = typeof id === "string" && id.length <= LONGEST_ID && ID.test(id);
  expectOption(named, '"id"', 'a reversed domain, a slash and a name, as in "com.example/tickets"', id);
  const where = ` of extension "${id}"`;
  const flag = negotiated === undefined || typeof negotiated === "boolean";
  expectOption(flag, `"negotiated"${where}`, "true or false", negotiated);
  checkMethods(extension, where);
  checkTypes(extension, where, coreTypes);
  expectFunction(aroundToolCall, `"aroundToolCall"${where}`);
  if (listenFilter !== undefined) checkFilter(listenFilter, where);
  const { settings = {} } = readDisplay(extension, "settings", "object", where);
  return settings as JsonObject; // read as an object
}

function checkMethods({ methods = {} }: Extension, where: string): void {
  expectOption(isObject(methods), `"methods"${where}`, "an object", methods);
  for (const [name, method] of Object.entries(methods)) {
    const what = `method "${name}"${where}`;
    const named = name !== "" && !name.startsWith("notifications/");
    expectOption(named && isObject(method), what, 'an object with "run" under the name of a request', method);
    expectFunction(method.run ?? null, `"run" of ${what}`);
    expectFunction(method.params, `"params" of ${what}`);
    const { mirrors } = method;
    expectOption(mirrors === undefined || isName(mirrors), `"mirrors" of ${what}`, "the name of a member", mirrors);
  }
}

function checkTypes({ resultTypes = [] }: Extension, where: string, coreTypes: ReadonlySet<unknown>): void {
  expectOption(Array.isArray(resultTypes), `"resultTypes"${where}`, "an array", resultTypes);
  const own = resultTypes.every((type: unknown) => isName(type) && !coreTypes.has(type));
  expectOption(own, `"resultTypes"${where}`, "names that the protocol does not use itself", resultTypes);
}

function checkFilter(filter: ListenFilter, where: string): void {
  expectOption(isObject(filter), `"listenFilter"${where}`, "an object", filter);
  const { member, topics, acknowledge, notice } = filter;
  const free = isName(member) && !CORE_FILTER.has(member);
  expectOption(free, `"listenFilter.member"${where}`, "a name that the protocol does not use itself", member);
  expectFunction(topics ?? null, `"listenFilter.topics"${where}`);
  expectFunction(acknowledge, `"listenFilter.acknowledge"${where}`);
  expectFunction(notice ?? null, `"listenFilter.notice"${where}`);
}

function expectFunction(value: unknown, what: string): void {
  expectOption(value === undefined || typeof value === "function", what, "a function", value);
}

function isName(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}
