import { isObject } from "@mortise/core";

/** What a provider answered in place of what was asked for. */
export interface Refusal {
  readonly status: number | undefined;
  readonly headers: Headers;
  readonly body: string;
}

/** An answer of a provider's that is none to the question. */
export class ProviderRefusal extends Error implements Refusal {
  override readonly name = "ProviderRefusal";
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;

  constructor(status: number, headers: Headers, body: string) {
    super(`The provider answered with status ${status}`);
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

/** Reads a failed call, ours or one of the AI SDK, which is told by its name; `undefined` for other errors. */
export function readRefusal(error: unknown): Refusal | undefined {
  if (error instanceof ProviderRefusal) return error;
  if (!(error instanceof Error) || error.name !== "AI_APICallError") return undefined;
  const { statusCode, responseHeaders, responseBody } = error as Error & Readonly<Record<string, unknown>>; // all are read below
  const headers = new Headers();
  for (const [name, value] of isObject(responseHeaders) ? Object.entries(responseHeaders) : [])
    if (typeof value === "string") headers.append(name, value);
  return {
    status: typeof statusCode === "number" ? statusCode : undefined,
    headers,
    body: typeof responseBody === "string" ? responseBody : "",
  };
}
