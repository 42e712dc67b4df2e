import type { JsonObject } from "@mortise/core";

/** How a model's answer ends. */
export type Finish = "stop" | "length" | "content-filter";

/** What is in an answer, whatever the API. */
export interface Answer {
  readonly text: string;
  readonly finish: Finish;
  readonly model: string;
  /** Base64, for APIs that make pictures. */
  readonly image: string;
}

/** One API of a provider, as its documentation says it. */
export interface WireApi {
  readonly name: string;
  readonly path: RegExp;
  /** Finds the key in the headers. */
  readKey(headers: Headers): string | undefined;
  /** Makes the body of an answer. */
  answer(answer: Answer): unknown;
  /** Makes the body of a failure. */
  fail(status: number, message: string): unknown;
  /** Finds the schema that the answer is to have. */
  readSchema(body: JsonObject): unknown;
}

const bearer = (headers: Headers): string | undefined =>
  headers.get("authorization")?.replace(/^Bearer /, "") ?? undefined;

const failOpenAi = (status: number, message: string): unknown => ({
  error: { message, type: status === 429 ? "rate_limit_error" : "error", param: null, code: null },
});

/** Looks a value up along a path of names. */
function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((each, name) => (each as JsonObject | undefined)?.[name], value);
}

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

const RESPONSES: WireApi = {
  name: "responses",
  path: /\/responses$/,
  readKey: bearer,
  answer: ({ text, finish, model }) => ({
    id: "resp_1",
    object: "response",
    created_at: 1,
    status: finish === "stop" ? "completed" : "incomplete",
    incomplete_details:
      finish === "stop" ? null : { reason: finish === "length" ? "max_output_tokens" : "content_filter" },
    model,
    output: [
      {
        type: "message",
        id: "msg_1",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text, annotations: [] }],
      },
    ],
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  }),
  fail: failOpenAi,
  readSchema: (body) => at(body, "text", "format", "schema"),
};

const CHAT: WireApi = {
  name: "chat completions",
  path: /\/chat\/completions$/,
  readKey: bearer,
  answer: ({ text, finish, model }) => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: text },
        finish_reason: finish.replace("-", "_"),
        logprobs: null,
      },
    ],
    usage: USAGE,
  }),
  fail: failOpenAi,
  readSchema: (body) => at(body, "response_format", "json_schema", "schema"),
};

const MISTRAL: WireApi = {
  ...CHAT,
  name: "Mistral chat",
  path: /^\/mistral\/.*\/chat\/completions$/,
  answer: (answer) => {
    const finish = { stop: "stop", length: "length", "content-filter": "content_filter" }[answer.finish];
    return {
      ...(CHAT.answer(answer) as JsonObject),
      choices: [{ index: 0, message: { role: "assistant", content: answer.text }, finish_reason: finish }],
    };
  },
  fail: (status, message) => ({ object: "error", message, type: "error", param: null, code: String(status) }),
};

const XAI: WireApi = {
  ...CHAT,
  name: "xAI chat",
  path: /^\/xai\/.*\/chat\/completions$/,
  fail: (status, error) => ({ code: `status ${status}`, error }),
};

const MESSAGES: WireApi = {
  name: "Anthropic messages",
  path: /\/messages$/,
  readKey: (headers) => headers.get("x-api-key") ?? undefined,
  answer: ({ text, finish, model }) => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model,
    content: [{ type: "text", text }],
    stop_reason: { stop: "end_turn", length: "max_tokens", "content-filter": "refusal" }[finish],
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  }),
  fail: (status, message) => ({
    type: "error",
    error: { type: status === 429 ? "rate_limit_error" : "api_error", message },
  }),
  readSchema: (body) => at(body, "output_config", "format", "schema"),
};

const GEMINI: WireApi = {
  name: "Gemini generateContent",
  path: /\/models\/[^/]+:generateContent$/,
  readKey: (headers) => headers.get("x-goog-api-key") ?? undefined,
  answer: ({ text, finish }) => ({
    candidates: [
      {
        content: { role: "model", parts: finish === "content-filter" ? [] : [{ text }] },
        finishReason: { stop: "STOP", length: "MAX_TOKENS", "content-filter": "SAFETY" }[finish],
        index: 0,
      },
    ],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  }),
  fail: (code, message) => ({ error: { code, message, status: "FAILED" } }),
  readSchema: (body) => at(body, "generationConfig", "responseSchema"),
};

const COHERE: WireApi = {
  name: "Cohere chat",
  path: /\/chat$/,
  readKey: bearer,
  answer: ({ text, finish }) => ({
    id: "1",
    message: { role: "assistant", content: [{ type: "text", text }] },
    finish_reason: { stop: "COMPLETE", length: "MAX_TOKENS", "content-filter": "ERROR_TOXIC" }[finish],
    usage: { billed_units: { input_tokens: 1, output_tokens: 1 }, tokens: { input_tokens: 1, output_tokens: 1 } },
  }),
  fail: (_status, message) => ({ message }),
  readSchema: (body) => at(body, "response_format", "json_schema"),
};

const IMAGES: WireApi = {
  name: "images",
  path: /\/images\/generations$/,
  readKey: bearer,
  answer: ({ image }) => ({ created: 1, data: [{ b64_json: image }] }),
  fail: failOpenAi,
  readSchema: () => undefined,
};

const STABILITY: WireApi = {
  name: "Stability",
  path: /^\/stability\/v2beta\/stable-image\/generate\/(core|ultra|sd3)$/,
  readKey: bearer,
  answer: ({ image, finish }) => ({
    image: finish === "content-filter" ? undefined : image,
    finish_reason: finish === "content-filter" ? "CONTENT_FILTERED" : "SUCCESS",
    seed: 1,
  }),
  fail: (_status, message) => ({ id: "1", name: "failed", errors: [message] }),
  readSchema: () => undefined,
};

/** The APIs, of which the first whose path fits serves a request. */
export const WIRE_APIS: readonly WireApi[] = [
  RESPONSES,
  MISTRAL,
  XAI,
  CHAT,
  MESSAGES,
  GEMINI,
  COHERE,
  IMAGES,
  STABILITY,
];
