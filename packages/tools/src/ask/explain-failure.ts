import { isObject } from "@mortise/core";
import type { ProviderAccess } from "../providers/access.js";
import { type Refusal, readRefusal } from "../providers/provider-refusal.js";
import { ToolFailure } from "../tool-failure.js";
import { readRetryAfter } from "./retry-after.js";

/** So much of a provider's own words is passed on. */
const MOST_LETTERS = 300;

/** So deep in an answer they stand at most. */
const MOST_LEVELS = 8;

/** Words for what is wrong below HTTP, by the code of the system. */
const NETWORK: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "Nothing answers"],
  ["ENOTFOUND", "There is no such host"],
  ["EAI_AGAIN", "The name of the host cannot be looked up"],
  ["ETIMEDOUT", "Nobody answered in time"],
  ["UND_ERR_CONNECT_TIMEOUT", "Nobody answered in time"],
  ["UND_ERR_HEADERS_TIMEOUT", "Nobody answered in time"],
  ["UND_ERR_BODY_TIMEOUT", "The answer stopped half-way"],
  ["EHOSTUNREACH", "There is no way to the host"],
  ["ENETUNREACH", "There is no network"],
  ["CERT_HAS_EXPIRED", "The certificate has expired"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "The certificate is signed by itself"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "The certificate is signed by nobody known"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "The certificate is signed by nobody known"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "The certificate is for another host"],
]);

/** The codes of broken connections, among those of all errors of the system. */
const NETWORK_CODES =
  /^(E(?!RR_)[A-Z_]{3,}|UND_ERR_[A-Z_]+|ERR_(TLS|SSL)_[A-Z_]+|[A-Z_]*CERT[A-Z_]*|UNABLE_TO_[A-Z_]+)$/;

/** Makes a failure in words that its user can act on, which hold no key. What is nobody's fault but ours stays as it is. */
export function explainFailure(error: unknown, access: ProviderAccess, model: string): unknown {
  const own = findCause(error, (each) => each instanceof ToolFailure);
  if (own !== undefined) return own;
  const refusal = readRefusal(error);
  if (refusal?.status !== undefined && (refusal.status < 200 || refusal.status > 299))
    return new ToolFailure(describeStatus(refusal.status, refusal, { access, model }));
  const { row } = access;
  const network = describeNetwork(error, access);
  if (network !== undefined) return new ToolFailure(network);
  // One library says so in this way alone.
  if (error instanceof Error && error.message.includes("content policy"))
    return new ToolFailure(describeFiltered(row.label));
  if (refusal === undefined && !(error instanceof Error && error.name.startsWith("AI_"))) return error;
  return new ToolFailure(
    `${row.label} gave an answer that cannot be read: check ${row.baseUrlVariable}, if it is set, and the model "${model}"`,
  );
}

/** Whether the provider found the question itself unfit: that asked in another way may be answered. */
export function isUnfitRequest(error: unknown): boolean {
  const refusal = readRefusal(error);
  return (refusal?.status === 400 || refusal?.status === 422) && !isFiltered(refusal);
}

/** Whether what is paid for is used up: waiting does not help. */
export function isSpent(refusal: Refusal): boolean {
  return /insufficient_quota|billing|credit balance/i.test(refusal.body);
}

/** The code of the system for what broke a connection; `undefined` where nothing did. */
export function findNetworkCode(error: unknown): string | undefined {
  const broken = findCause(error, (each) => typeof readCode(each) === "string");
  if (broken !== undefined) return readCode(broken);
  const cut = findCause(error, (each) => each instanceof TypeError && /^(fetch failed|terminated)$/.test(each.message));
  return cut === undefined ? undefined : "UND_ERR_SOCKET";
}

interface Asked {
  readonly access: ProviderAccess;
  readonly model: string;
}

function describeStatus(status: number, refusal: Refusal, { access, model }: Asked): string {
  const { label, keyVariable, modelVariable, image, baseUrlVariable } = access.row;
  const said = quote(refusal, access);
  if (isFiltered(refusal)) return describeFiltered(label);
  // Words about a refused key may show parts of it.
  if (status === 401) return `${label} refused the key (401): check ${keyVariable ?? baseUrlVariable}`;
  if (status === 402 || isSpent(refusal)) return `${label} wants to be paid (${status}): check plan and billing${said}`;
  if (status === 403)
    return `${label} does not allow this with the key in ${keyVariable ?? baseUrlVariable} (403)${said}`;
  if (status === 404)
    return `${label} does not know the model "${model}", or its address is wrong (404): check ${[modelVariable, image?.variable, baseUrlVariable].filter((name) => name !== undefined).join(", ")}${said}`;
  if (status === 429) return `${label} gets too many requests (429): ${describeWait(refusal)}${said}`;
  if (status >= 500) return `${label} failed (${status}): try again later, or another provider${said}`;
  if (status >= 300 && status < 400)
    return `${label} is not where it was called (${status}): check ${baseUrlVariable}, redirects are not followed`;
  return `${label} refused the request (${status})${said}`;
}

/** Says that a filter of the provider's stopped the answer. */
export function describeFiltered(label: string): string {
  return `${label} held the answer back (content filter): say it in other words, or ask another provider`;
}

function describeWait({ headers }: Refusal): string {
  const wait = readRetryAfter(headers);
  return wait === undefined ? "try again later" : `try again in ${Math.ceil(wait / 1000)} seconds`;
}

function describeNetwork(error: unknown, { row, baseUrl }: ProviderAccess): string | undefined {
  const code = findNetworkCode(error);
  if (code === undefined) return undefined;
  const { origin } = new URL(baseUrl);
  const what = NETWORK.get(code) ?? "The connection broke";
  const advice =
    row.keyVariable === undefined
      ? `is ${row.label} running?`
      : `check the network, and ${row.baseUrlVariable} if it is set`;
  return `${row.label} cannot be reached at ${origin}: ${what} (${code}); ${advice}`;
}

function isFiltered({ body }: Refusal): boolean {
  return /content_filter|content_policy|content_moderation|moderation_blocked|safety_violation|ResponsibleAIPolicy/i.test(
    body,
  );
}

/** What the provider itself says is wrong, on one line, without keys. */
function quote({ body }: Refusal, { apiKey }: ProviderAccess): string {
  const words = findWords(parse(body));
  if (words === undefined) return "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to go
  const line = words.replace(/[\u0000-\u0020\u007f-\u009f\u2028\u2029]+/g, " ").trim();
  const safe = apiKey === "" ? line : line.replaceAll(apiKey, "…");
  return `. It says: ${safe.length > MOST_LETTERS ? `${safe.slice(0, MOST_LETTERS)}…` : safe}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Every provider has a place of its own for them. */
function findWords(body: unknown, level = 0): string | undefined {
  if (typeof body === "string") return body === "" ? undefined : body;
  if (level === MOST_LEVELS) return undefined;
  if (Array.isArray(body)) return findWords(body[0], level + 1);
  if (!isObject(body)) return undefined;
  for (const name of ["error", "message", "detail", "errors", "msg"]) {
    const words = findWords(body[name], level + 1);
    if (words !== undefined) return words;
  }
  return undefined;
}

function readCode(error: unknown): string | undefined {
  const code = isObject(error) || error instanceof Error ? (error as { code?: unknown }).code : undefined; // looked at only
  return typeof code === "string" && NETWORK_CODES.test(code) ? code : undefined;
}

/** The first error that is wanted on the way to what caused it. */
function findCause(error: unknown, isWanted: (each: unknown) => boolean): unknown {
  let each = error;
  for (let depth = 0; depth < 8 && each !== undefined; depth += 1) {
    if (isWanted(each)) return each;
    if (each instanceof AggregateError && each.errors.length > 0) each = each.errors[0];
    else each = each instanceof Error ? each.cause : undefined;
  }
  return undefined;
}
