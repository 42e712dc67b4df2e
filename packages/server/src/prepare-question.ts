import {
  type Ask,
  describeType,
  isObject,
  isThenable,
  type JsonObject,
  MortiseError,
  type Revision,
} from "@mortise/core";
import { projectForm, toRequestedSchema } from "./elicit-form.js";
import { hasTools, isSampleBlock, projectSample, readSample } from "./sample-request.js";
import type { Checked, CompiledSchema } from "./schema/checked.js";

/** A question that can be put. */
export interface Prepared {
  /** What the client has to be able to do. */
  readonly needs: readonly Ask[];
  readonly method: string;
  /** The key its author gave it. */
  readonly key: string | undefined;
  /** The params of the newest revision. */
  readonly params: JsonObject;
  /** The params as a client of a revision knows them; `undefined` where it knows nothing like the question. */
  project(revision: Revision, capabilities: JsonObject): JsonObject | undefined;
  /** Reads an answer. One that is not ok is not what was asked for. */
  read(answer: unknown): Checked | Promise<Checked>;
}

/** Makes the schema of a form ready. */
export type CompileForm = (schema: unknown) => CompiledSchema;

const LONGEST_KEY = 256;
const URL_TEXT = /^[!#-;=?-[\]_a-z~]+$/;
/** Browsers leave some of these as they are in queries. */
const NO_URL_LETTER = /["<>\\^`{|}]/g;
const ACTIONS: ReadonlySet<unknown> = new Set(["accept", "decline", "cancel"]);

/** Reads a question of a handler. Throws `invalid_options`, or one of the `schema_…` codes for a form that cannot be. */
export function prepareQuestion(question: unknown, compile: CompileForm): Prepared {
  if (isObject(question)) {
    const { elicit, sample, roots, method, params = {} } = question;
    if (isObject(elicit)) return "url" in elicit ? prepareUrl(elicit) : prepareForm(elicit, compile);
    if (isObject(sample)) return prepareSample(sample);
    if (isObject(roots)) return prepareRoots(roots);
    // As the protocol writes it.
    if (isObject(params) && method === "elicitation/create")
      return params.mode === "url"
        ? prepareUrl(params)
        : prepareForm({ ...params, schema: params.requestedSchema }, compile);
    if (isObject(params) && method === "sampling/createMessage") return prepareSample(params);
    if (method === "roots/list") return prepareRoots({});
  }
  throw invalid("a question", 'an object with one of "elicit", "sample" and "roots"', question);
}

/** Reads an answer by the ability that its question needs, and by the fields of its form. */
export function readAnswer(ask: Ask, answer: unknown, content?: CompiledSchema): Checked | Promise<Checked> {
  if (!isObject(answer)) return refused("Expected an object");
  if (ask === "roots") return readRoots(answer);
  if (ask === "sample" || ask === "sample.tools") return readMessage(answer);
  const { action } = answer;
  if (!ACTIONS.has(action)) return refused('Expected "action" to be "accept", "decline" or "cancel"');
  if (action !== "accept" || content === undefined) return accepted({ action });
  const { content: filled = {} } = answer;
  if (!isObject(filled)) return refused('Expected "content" to be an object');
  const checked = content.check(keepFields(filled, content.json));
  return isThenable(checked) ? checked.then(withAction) : withAction(checked);
}

function prepareForm({ message, schema, key }: JsonObject, compile: CompileForm): Prepared {
  const compiled = compile(schema);
  const requestedSchema = toRequestedSchema(compiled.json);
  const params = { mode: "form", message: readText("message", message), requestedSchema };
  return {
    needs: ["elicit.form"],
    method: "elicitation/create",
    key: readKey(key),
    params,
    project(revision) {
      const { mode, ...rest } = params;
      const form = projectForm(requestedSchema, revision);
      if (form === undefined) return undefined;
      return { ...(revision.elicitMode ? { mode } : {}), ...rest, requestedSchema: form };
    },
    read: (answer) => readAnswer("elicit.form", answer, compiled),
  };
}

function prepareUrl({ message, url, elicitationId, key }: JsonObject): Prepared {
  const address = url instanceof URL ? url.href : readText("url", url);
  if (!URL.canParse(address)) throw invalid('"url"', "an absolute URL", url);
  if (elicitationId !== undefined) readText("elicitationId", elicitationId);
  const params = { mode: "url", message: readText("message", message), url: encodeUrl(address) };
  return {
    needs: ["elicit.url"],
    method: "elicitation/create",
    key: readKey(key),
    params,
    project: ({ elicitationId: named }) =>
      named ? { ...params, elicitationId: elicitationId ?? crypto.randomUUID() } : params,
    read: (answer) => readAnswer("elicit.url", answer),
  };
}

/** An address that has letters or spaces no URL has is encoded as a browser would; any other stays as it was written. */
function encodeUrl(address: string): string {
  return URL_TEXT.test(address) ? address : new URL(address).href.replace(NO_URL_LETTER, encodeURIComponent);
}

function prepareSample(sample: JsonObject): Prepared {
  const params = readSample(sample);
  return {
    needs: hasTools(params) ? ["sample", "sample.tools"] : ["sample"],
    method: "sampling/createMessage",
    key: readKey(sample.key),
    params,
    project: (revision, capabilities) => projectSample(params, revision, capabilities),
    read: (answer) => readAnswer("sample", answer),
  };
}

function prepareRoots({ key }: JsonObject): Prepared {
  const params = {};
  return {
    needs: ["roots"],
    method: "roots/list",
    key: readKey(key),
    params,
    project: () => params,
    read: (answer) => readAnswer("roots", answer),
  };
}

/** Only what the form has fields for. */
function keepFields(filled: JsonObject, { properties }: JsonObject): JsonObject {
  const fields = isObject(properties) ? properties : {};
  return Object.fromEntries(Object.entries(filled).filter(([name]) => Object.hasOwn(fields, name)));
}

function withAction(checked: Checked): Checked {
  return checked.ok ? accepted({ action: "accept", content: checked.value }) : checked;
}

function readRoots(answer: JsonObject): Checked {
  const { roots } = answer;
  const holds = Array.isArray(roots) && roots.every((root) => isObject(root) && typeof root.uri === "string");
  return holds ? accepted({ roots }) : refused('Expected "roots" to be an array of objects with a "uri"');
}

function readMessage(answer: JsonObject): Checked {
  const { role, content, model, stopReason, _meta } = answer;
  const blocks = [content].flat();
  const holds =
    (role === "user" || role === "assistant") &&
    typeof model === "string" &&
    blocks.every(isSampleBlock) &&
    (stopReason === undefined || typeof stopReason === "string");
  if (!holds) return refused("Expected a message of the model");
  return accepted({
    role,
    content,
    model,
    ...(stopReason === undefined ? {} : { stopReason }),
    ...(isObject(_meta) ? { _meta } : {}),
  });
}

function accepted(value: JsonObject): Checked {
  return { ok: true, value };
}

function refused(message: string): Checked {
  return { ok: false, issues: [{ path: "", message }] };
}

function readKey(key: unknown): string | undefined {
  if (key === undefined) return undefined;
  const text = readText("key", key);
  if (text === "" || text.length > LONGEST_KEY) throw invalid('"key"', `1 to ${LONGEST_KEY} characters`, key);
  return text;
}

function readText(member: string, value: unknown): string {
  if (typeof value !== "string") throw invalid(`"${member}"`, "a string", value);
  return value;
}

function invalid(what: string, expected: string, received: unknown): MortiseError {
  return new MortiseError(
    "invalid_options",
    `Expected ${what} of a question to be ${expected}, received ${describeType(received)}`,
  );
}
