import { isObject, type JsonObject, JsonRpcError, MortiseError, REVISIONS, RPC } from "@mortise/core";
import { describeAnswer } from "../describe-answer.js";
import type { Answer, ErrorAnswer, RefusedAnswer } from "../link.js";
import { refusalError } from "../refused-answer.js";
import type { Agreement, Hands, HandshakeOptions } from "./handshake.js";

/* What a handshake needs that was refused; loaded with the first one. */

/** Refusals that show a server without this handshake, as against one that is busy or wants a login. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 405]);

/** Statuses that say something about access or load, whatever error comes along. */
const ABOUT_ACCESS: ReadonlySet<number> = new Set([401, 403, 408, 429, 502, 503, 504]);

/** Goes on with an answer that is no agreement: offers what the server lists, or says what came instead. */
export async function goOnRefused(
  refusal: Answer,
  options: HandshakeOptions,
  { offer, agree }: Hands,
): Promise<Agreement> {
  const { offered, exact, why, findings } = options;
  const listed = exact ? undefined : findListedVersion(refusal, offered);
  const answer = listed === undefined ? refusal : await offer(options, listed);
  const agreement = listed === undefined ? undefined : agree(answer, options);
  if (agreement !== undefined) return agreement;
  if (answer.kind === "result") throw refuseVersion(answer.result, listed ?? offered);
  findings.isOlder = isOlderTransport(answer);
  throw toRefusal(answer, why);
}

function refuseVersion({ protocolVersion }: JsonObject, offered: string): MortiseError {
  const received = protocolVersion === undefined ? "none" : JSON.stringify(protocolVersion);
  return new MortiseError(
    "unsupported_version",
    `Offered protocol version "${offered}", and the server answered with ${received}, which this client does not accept`,
  );
}

/** The newest legacy version that the refusal lists, besides the one offered. */
function findListedVersion(answer: Answer, offered: string): string | undefined {
  if (answer.kind !== "error" || !isObject(answer.error.data)) return undefined;
  const { supported } = answer.error.data;
  if (!Array.isArray(supported)) return undefined;
  return [...REVISIONS.values()].find((row) => row.era === "legacy" && row.id !== offered && supported.includes(row.id))
    ?.id;
}

/**
 * Tells whether the server refused the handshake for its method or its address, which servers with the transport of
 * 2024-11-05 do.
 *
 * Follows https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#backwards-compatibility
 */
function isOlderTransport(answer: Answer): boolean {
  if (!REFUSALS.has(answer.head.status)) return false;
  if (answer.kind !== "error") return true;
  // Whoever misses the method or names other versions has understood the message, and refuses what it says.
  return answer.error.code !== RPC.methodNotFound && describeSupported(answer.error.data) === "";
}

/** The failure of a handshake. `why` is what an earlier question showed. */
function toRefusal(answer: RefusedAnswer | ErrorAnswer, why: Answer | string | undefined): MortiseError {
  const known = typeof why === "object" ? describeAnswer(why) : why;
  const before = known === undefined ? "" : `${known}; then `;
  if (answer.kind === "error") {
    const { code, message, data } = answer.error;
    if (ABOUT_ACCESS.has(answer.head.status))
      return refusalError({ kind: "refused", head: answer.head, body: message });
    const cause = new JsonRpcError(code, message, data);
    const versions = code === RPC.unsupportedVersion || code === RPC.invalidParams ? describeSupported(data) : "";
    return new MortiseError(
      "initialize_refused",
      `The server refused to connect: ${before}initialize got error ${code}: ${message}${versions}`,
      { cause },
    );
  }
  const error = refusalError(answer);
  if (!REFUSALS.has(answer.head.status)) return error;
  const quote = answer.body.trim() === "" ? "" : `: ${answer.body.trim()}`;
  return new MortiseError(
    "initialize_refused",
    `The server refused to connect: ${before}initialize got HTTP ${answer.head.status}${quote}`,
    { cause: error.cause },
  );
}

function describeSupported(data: unknown): string {
  if (!isObject(data) || !Array.isArray(data.supported)) return "";
  return ` (supported: ${data.supported.filter((version) => typeof version === "string").join(", ")})`;
}
