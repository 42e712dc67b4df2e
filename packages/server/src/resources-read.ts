import { invalidParams, isThenable, type JsonObject, JsonRpcError, type MatchedValues } from "@mortise/core";
import type { Call } from "./call.js";
import { HandlerContext } from "./context.js";
import { toSentError } from "./handler-failure.js";
import { defineMethod, type Method } from "./method.js";
import { toReadResult } from "./read-result.js";
import type { RegisteredResource } from "./registered-resource.js";
import { projectReadResult } from "./resource-listing.js";
import type { Subject } from "./subject.js";
import { findShown, isShown } from "./visible.js";

/** What a read is about: a registered resource, or a template with what the address has in the places of its variables. */
interface ReadSubject extends Subject {
  readonly resource: RegisteredResource;
  readonly params: MatchedValues;
}

const NO_PARAMS: MatchedValues = Object.freeze({});

/** Reads a resource. https://modelcontextprotocol.io/specification/2026-07-28/server/resources#reading-resources */
export const resourcesRead: Method = defineMethod<string>({
  name: "resources/read",
  feature: "resources",
  mirrors: "uri",
  cache: "read",
  hint: (call, usual) => toSubject(call)?.resource.hint(usual) ?? usual,
  subject: findSubject,
  parse(params) {
    const uri = params?.uri;
    if (typeof uri !== "string") throw invalidParams("params.uri", "a string", uri);
    return uri;
  },
  project: (result, { revision }) => projectReadResult(result, revision),
  run(call, uri) {
    const subject = toSubject(call);
    if (subject === undefined) throw createNotFound(call, uri);
    const { resource, params } = subject;
    try {
      const returned: unknown = resource.handler({ uri, params }, new HandlerContext(call));
      return isThenable(returned) ? finishLater(call, resource, returned) : toResult(call, resource, returned);
    } catch (error) {
      throw toSentError(call, resource.name, error);
    }
  },
});

/** A registered address comes before every template, and an earlier template before a later one. */
function findSubject(call: Call): ReadSubject | undefined {
  const { server, request } = call;
  const uri = request.params?.uri;
  if (typeof uri !== "string") return undefined;
  const fixed = findShown(server.resources, uri, call);
  if (fixed !== undefined) return createSubject(fixed, NO_PARAMS);
  for (const template of server.templates.served()) {
    const params = template.matcher?.match(uri);
    if (params !== undefined && isShown(template, call)) return createSubject(template, params);
  }
  return undefined;
}

function createSubject(resource: RegisteredResource, params: MatchedValues): ReadSubject {
  const { name, asks } = resource;
  return { name, asks, resource, params };
}

function toSubject(call: Call): ReadSubject | undefined {
  return call.subject as ReadSubject | undefined; // what `subject` above gives
}

async function finishLater(
  call: Call,
  resource: RegisteredResource,
  returned: PromiseLike<unknown>,
): Promise<JsonObject> {
  try {
    return toResult(call, resource, await returned);
  } catch (error) {
    throw toSentError(call, resource.name, error);
  }
}

function toResult(call: Call, { definition }: RegisteredResource, returned: unknown): JsonObject {
  const uri = call.input as string; // what `parse` above gave
  const result = toReadResult(returned, { uri, mimeType: definition.mimeType });
  if (result === undefined) throw createNotFound(call, uri);
  return result;
}

/** https://modelcontextprotocol.io/specification/2026-07-28/server/resources#error-handling */
function createNotFound({ revision }: Call, uri: string): JsonRpcError {
  return new JsonRpcError(revision.notFound, "Resource not found", { uri });
}
