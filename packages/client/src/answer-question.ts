import { type Ask, describeType, type Implementation, isObject, type JsonObject, MortiseError } from "@mortise/core";
import { checkForm } from "./form/check-form.js";
import type {
  ElicitAnswer,
  ElicitRequest,
  QuestionContext,
  QuestionHandlers,
  SampleAnswer,
  SampleRequest,
} from "./question.js";

/** Who answers, and what of it the server may use. */
export interface Desk {
  readonly handlers: QuestionHandlers;
  /** The questions that were declared to the server. */
  readonly asks: ReadonlySet<Ask>;
  /** Whether an answer of a model may have several blocks. */
  readonly richSamples: boolean;
  readonly serverInfo: Implementation | undefined;
}

/** Asks whoever answers. Rejects with what the handler throws, and with `invalid_answer`. */
export type Answering = (signal: AbortSignal) => Promise<JsonObject>;

/**
 * Reads a question, before anybody is asked. Throws `input_required` for one that this client cannot answer, and
 * `invalid_response` for one that is malformed.
 */
export function prepareAnswer(method: string, params: JsonObject, desk: Desk): Answering {
  const prepare = QUESTIONS.get(method);
  if (prepare === undefined)
    throw new MortiseError(
      "input_required",
      `The server asks for ${JSON.stringify(method)}, which this client does not know`,
    );
  return prepare(params, desk);
}

const QUESTIONS: ReadonlyMap<string, (params: JsonObject, desk: Desk) => Answering> = new Map([
  ["elicitation/create", prepareElicit],
  ["sampling/createMessage", prepareSample],
  ["roots/list", prepareRoots],
]);

function prepareElicit(params: JsonObject, desk: Desk): Answering {
  const { mode = "form", message, requestedSchema, url } = params;
  if (mode !== "form" && mode !== "url") throw malformed("mode", '"form" or "url"', mode);
  const handler = demand(desk, "onElicit", mode === "url" ? "elicit.url" : "elicit.form");
  if (typeof message !== "string") throw malformed("message", "a string", message);
  // Anything else could run a program, or show a file.
  if (mode === "url" && !isWebAddress(url)) throw malformed("url", "an http: or https: address", url);
  if (mode === "form" && !isObject(requestedSchema)) throw malformed("requestedSchema", "an object", requestedSchema);
  const request = { ...params, mode, message } as ElicitRequest; // checked above
  return async (signal) => toElicitResult(request, await handler(request, createContext(desk, signal)));
}

function prepareSample(params: JsonObject, desk: Desk): Answering {
  const { messages, maxTokens, tools } = params;
  const handler = demand(desk, "onSample", tools === undefined ? "sample" : "sample.tools");
  if (!Array.isArray(messages)) throw malformed("messages", "an array", messages);
  if (typeof maxTokens !== "number") throw malformed("maxTokens", "a number", maxTokens);
  if (tools !== undefined && !Array.isArray(tools)) throw malformed("tools", "an array", tools);
  const request = params as unknown as SampleRequest; // the members that carry it are checked; models differ in the rest
  return async (signal) => toSampleResult(await handler(request, createContext(desk, signal)), desk.richSamples);
}

function prepareRoots(_params: JsonObject, desk: Desk): Answering {
  const handler = demand(desk, "onRoots", "roots");
  return async (signal) => {
    const roots: unknown = await handler(createContext(desk, signal));
    const isRoot = (root: unknown): boolean => isObject(root) && typeof root.uri === "string" && isFile(root.uri);
    if (!Array.isArray(roots) || !roots.every(isRoot)) throw wrong("onRoots", 'an array of objects with a "file:" URI');
    return { roots };
  };
}

function demand<Name extends keyof QuestionHandlers>(
  { handlers, asks }: Desk,
  name: Name,
  ask: Ask,
): NonNullable<QuestionHandlers[Name]> {
  const handler = handlers[name];
  if (handler === undefined)
    throw new MortiseError("input_required", `The server asks for ${ask}, and this client has no "${name}" to answer`);
  if (!asks.has(ask)) throw new MortiseError("input_required", `The server asks for ${ask}, which was not declared`);
  return handler;
}

function createContext({ serverInfo }: Desk, signal: AbortSignal): QuestionContext {
  return { signal, serverInfo };
}

function toElicitResult(request: ElicitRequest, answer: ElicitAnswer): JsonObject {
  if (!isObject(answer) || !["accept", "decline", "cancel"].includes(String(answer.action)))
    throw wrong("onElicit", 'an object with the action "accept", "decline" or "cancel"');
  // Only a form that was agreed to carries anything.
  if (answer.action !== "accept" || request.mode === "url") return { action: answer.action };
  const { content = {} } = answer as { content?: unknown };
  if (!isObject(content)) throw wrong("onElicit", 'an object as "content"');
  const check = checkForm(request.requestedSchema, content);
  if (check.ok) return { action: "accept", content: check.content };
  const issues = check.issues.map(({ field, message }) => `${JSON.stringify(field)} ${message}`);
  throw new MortiseError("invalid_answer", `Expected the form to be filled in as asked: ${issues.join("; ")}`, {
    cause: check.issues,
  });
}

function toSampleResult(answer: SampleAnswer, rich: boolean): JsonObject {
  if (!isObject(answer) || typeof answer.model !== "string") throw wrong("onSample", 'an object with a "model"');
  const { role = "assistant", content: given } = answer as SampleAnswer; // read as an object just now
  const content: unknown = !rich && Array.isArray(given) && given.length === 1 ? given[0] : given;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  if (!blocks.every((block) => isObject(block) && typeof block.type === "string"))
    throw wrong("onSample", 'blocks with a "type" as "content"');
  if (!rich && Array.isArray(content))
    throw wrong("onSample", "one block, which is all that this server's revision knows,");
  return { ...answer, role, content };
}

function isWebAddress(url: unknown): boolean {
  return typeof url === "string" && URL.canParse(url) && ["http:", "https:"].includes(new URL(url).protocol);
}

function isFile(uri: string): boolean {
  return URL.canParse(uri) && new URL(uri).protocol === "file:";
}

function malformed(member: string, expected: string, received: unknown): MortiseError {
  return new MortiseError(
    "invalid_response",
    `Expected "${member}" of the server's question to be ${expected}, received ${describeType(received)}`,
  );
}

function wrong(handler: string, expected: string): MortiseError {
  return new MortiseError("invalid_answer", `Expected "${handler}" to give ${expected}`);
}
