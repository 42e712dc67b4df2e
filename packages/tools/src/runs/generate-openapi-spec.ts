import type { JsonObject } from "@mortise/core";
import { findDocumentProblems } from "../openapi/check-document.js";
import { composePrompt } from "../prompt/compose-prompt.js";
import { expectText } from "../prompt/expect-text.js";
import { ToolFailure } from "../tool-failure.js";
import type { Run } from "../tool-spec.js";
import type { GenerateOpenapiSpecArgs } from "../tools/generate-openapi-spec.js";

interface OpenapiDocument extends JsonObject {
  readonly info: JsonObject;
}

/** What every document has. The whole of it is checked afterwards, against OpenAPI's own schema. */
const ANSWER: JsonObject = {
  type: "object",
  properties: {
    openapi: { type: "string" },
    info: { type: "object" },
    paths: { type: "object" },
    components: { type: "object" },
  },
  required: ["openapi", "info", "paths"],
};

/** Asks for a document, and validates it; one that is wrong is asked for once more. */
export const run: Run<GenerateOpenapiSpecArgs> = async ({ input, title, basePath }, { ask, progress }) => {
  expectText("input", input);
  const place = basePath === undefined ? undefined : readBasePath(basePath);
  const complete = ({ info, ...rest }: OpenapiDocument): OpenapiDocument => ({
    ...rest,
    info: title === undefined ? info : { ...info, title },
    ...(place === undefined ? {} : { servers: [{ url: place }] }),
  });
  const answer = await ask.json<OpenapiDocument>({
    ...composePrompt({
      role: "You are an engineer who documents HTTP APIs exactly.",
      rules: [
        'Answer with one OpenAPI document: "openapi" is "3.1.0", "info" has title, version and description.',
        "Describe every operation that the material shows, and none that it does not show. Where it leaves something open, take what is usual for such an API.",
        "Each operation has an operationId of its own, a summary, its parameters and request body, and a response for success and for each failure that can happen, with descriptions and schemas.",
        'Declare each {name} of a path as a parameter with in: "path" and required: true. Base paths stand in "servers" alone, not in "paths".',
        'Put schemas that are used more than once under "components.schemas", and refer to them as "#/components/schemas/Name". Never refer to another document.',
        'Schemas are JSON Schema 2020-12: no "nullable", but a list of types with "null". Put security schemes that are used under "components.securitySchemes".',
      ],
      task: "Write the OpenAPI document of the HTTP API in the material.",
      material: { api: input, title, "base path": place },
    }),
    schema: ANSWER,
    check(value) {
      progress("Validating the document");
      return findDocumentProblems(complete(value));
    },
  });
  const document = arrange(complete(answer));
  return { content: [{ type: "text", text: JSON.stringify(document, undefined, 2) }], structuredContent: document };
};

/** Throws `ToolFailure` for what is neither a path nor an address with http or https. */
function readBasePath(text: string): string {
  const trimmed = text.trim();
  const isPath = /^\/[^\s?#]*$/.test(trimmed) && !trimmed.startsWith("//");
  const isAddress = URL.canParse(trimmed) && /^https?:$/.test(new URL(trimmed).protocol);
  if (isPath || isAddress) return trimmed.length > 1 ? trimmed.replace(/\/$/, "") : trimmed;
  const shown = JSON.stringify(trimmed.slice(0, 100));
  throw new ToolFailure(
    `Expected "basePath" to begin with "/" or to be an address with http or https, received ${shown}`,
  );
}

/** In the order in which people read. */
function arrange({ openapi, info, servers, ...rest }: OpenapiDocument): JsonObject {
  return { openapi, info, ...(servers === undefined ? {} : { servers }), ...rest };
}
