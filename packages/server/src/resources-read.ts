import { invalidParams, type JsonObject, JsonRpcError } from "@mortise/core";
import type { Call } from "./call.js";
import { HandlerContext } from "./context.js";
import { type FoundResource, findResource } from "./find-resource.js";
import { toSentError } from "./handler-failure.js";
import { runHandler } from "./handler-run.js";
import { loadOnce } from "./load-once.js";
import { defineMethod, type Method } from "./method.js";
import type { RegisteredResource } from "./registered-resource.js";
import { projectReadResult } from "./resource-listing.js";
import type { Subject } from "./subject.js";

/** What a read is about. */
interface ReadSubject extends Subject, FoundResource {}

const loadReadResult = loadOnce(() => import("./read-result.js"));

/** Reads a resource. https://modelcontextprotocol.io/specification/2026-07-28/server/resources#reading-resources */
export const resourcesRead: Method = defineMethod<string>({
  name: "resources/read",
  feature: "resources",
  mirrors: "uri",
  asks: true,
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
    return runHandler(call, {
      again: () => resource.handler({ uri, params }, new HandlerContext(call)),
      toResult: (returned) => toResult(call, resource, returned),
      toFailure: (error) => {
        throw toSentError(call, resource.name, error);
      },
    });
  },
});

function findSubject(call: Call): ReadSubject | undefined {
  const found = findResource(call, call.request.params?.uri);
  if (found === undefined) return undefined;
  const { name, asks, listing } = found.resource;
  return { name, asks, listing, ...found };
}

function toSubject(call: Call): ReadSubject | undefined {
  return call.subject as ReadSubject | undefined; // what `subject` above gives
}

async function toResult(call: Call, { definition }: RegisteredResource, returned: unknown): Promise<JsonObject> {
  const { toReadResult } = await loadReadResult();
  const uri = call.input as string; // what `parse` above gave
  const result = toReadResult(returned, { uri, mimeType: definition.mimeType });
  if (result === undefined) throw createNotFound(call, uri);
  return result;
}

/** https://modelcontextprotocol.io/specification/2026-07-28/server/resources#error-handling */
function createNotFound({ revision }: Call, uri: string): JsonRpcError {
  return new JsonRpcError(revision.notFound, "Resource not found", { uri });
}
