import {
  createNotification,
  createRequest,
  isObject,
  type JsonObject,
  JsonRpcError,
  MortiseError,
  REVISIONS,
  type Revision,
  RPC,
  revisionOf,
} from "@mortise/core";
import { refusalError } from "../answer.js";
import type { Identity } from "../era.js";
import { toError } from "../failures.js";
import type { Answer, Flight, Link } from "../link.js";
import type { HeaderList } from "../platform/platform.js";

/** What the handshake agreed on. */
export interface Agreement {
  readonly revision: Revision;
  readonly result: JsonObject;
  /** The session that an HTTP server opened. */
  readonly sessionId: string | undefined;
}

/** What a handshake needs. */
export interface HandshakeOptions {
  readonly link: Link;
  readonly identity: Identity;
  /** The revision to offer. */
  readonly offered: string;
  /** Accept no other revision than the one offered. */
  readonly exact: boolean;
  /** What an earlier question about the era showed, for the error if this fails too. */
  readonly why: string | undefined;
  nextId(): number;
  /** Receives the answer that ends the handshake without an agreement. */
  onRefusal(answer: Answer): void;
  /** Waits for an answer as long as a request may take. */
  wait(flight: Flight, method: string): Promise<Answer>;
}

// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
const SESSION_ID = /^[\x21-\x7e]+$/;
/** Refusals that show a server without this handshake, as against one that is busy or wants a login. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 405]);

/**
 * Shakes hands: `initialize`, once more with a version the server lists if it refuses the first.
 * Throws `initialize_refused` and `unsupported_version`.
 *
 * Follows https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization
 */
export async function initialize(options: HandshakeOptions): Promise<Agreement> {
  const first = await offer(options, options.offered);
  const listed = options.exact ? undefined : findListedVersion(first, options.offered);
  const offered = listed ?? options.offered;
  const answer = listed === undefined ? first : await offer(options, listed);
  if (answer.kind !== "result") {
    options.onRefusal(answer);
    throw refuse(answer, options.why);
  }
  const sessionId = answer.head.header("mcp-session-id");
  return {
    revision: readVersion(answer.result, offered, options.exact),
    result: answer.result,
    sessionId: sessionId !== undefined && SESSION_ID.test(sessionId) ? sessionId : undefined,
  };
}

/**
 * Tells whether the server refused the handshake for its method or its address, which servers with the transport of
 * 2024-11-05 do.
 *
 * Follows https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#backwards-compatibility
 */
export function isOlderTransport(answer: Answer): boolean {
  if (!REFUSALS.has(answer.head.status)) return false;
  if (answer.kind !== "error") return true;
  // Whoever misses the method or names other versions has understood the message, and refuses what it says.
  return answer.error.code !== RPC.methodNotFound && describeSupported(answer.error.data) === "";
}

/** Tells the server that the handshake is complete. Gives what kept it from hearing that, which need not keep it from being used. */
export async function sendInitialized(link: Link, headers: HeaderList): Promise<Error | undefined> {
  try {
    await link.post(createNotification("notifications/initialized"), headers);
    return undefined;
  } catch (error) {
    return toError(error);
  }
}

function offer({ link, identity, nextId, wait }: HandshakeOptions, protocolVersion: string): Promise<Answer> {
  const capabilities = identity.describe(revisionOf(protocolVersion));
  const params = { protocolVersion, capabilities, clientInfo: identity.clientInfo };
  const flight = link.send(createRequest(nextId(), "initialize", params), { headers: [], alone: true });
  return wait(flight, "initialize");
}

function findListedVersion(answer: Answer, offered: string): string | undefined {
  if (answer.kind !== "error" || !isObject(answer.error.data)) return undefined;
  const { supported } = answer.error.data;
  if (!Array.isArray(supported)) return undefined;
  return [...REVISIONS.values()].find((row) => row.era === "legacy" && row.id !== offered && supported.includes(row.id))
    ?.id;
}

function readVersion(result: JsonObject, offered: string, exact: boolean): Revision {
  const { protocolVersion } = result;
  const revision = typeof protocolVersion === "string" ? REVISIONS.get(protocolVersion) : undefined;
  if (revision === undefined || revision.era !== "legacy" || (exact && revision.id !== offered)) {
    const received = protocolVersion === undefined ? "none" : JSON.stringify(protocolVersion);
    throw new MortiseError(
      "unsupported_version",
      `Offered protocol version "${offered}", and the server answered with ${received}, which this client does not accept`,
    );
  }
  return revision;
}

function refuse(answer: Exclude<Answer, { kind: "result" }>, why: string | undefined): Error {
  const before = why === undefined ? "" : `${why}; then `;
  if (answer.kind === "error") {
    const { code, message, data } = answer.error;
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
