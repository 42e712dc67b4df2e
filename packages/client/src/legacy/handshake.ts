import {
  createNotification,
  createRequest,
  type JsonObject,
  REVISIONS,
  type Revision,
  revisionOf,
  toError,
} from "@mortise/core";
import type { Identity } from "../era.js";
import type { Answer, Flight, Link } from "../link.js";
import type { HeaderList } from "../platform/platform.js";

/** What the handshake agreed on. */
export interface Agreement {
  readonly revision: Revision;
  readonly result: JsonObject;
  /** The session that an HTTP server opened. */
  readonly sessionId: string | undefined;
}

/** What is found out about a server beside the handshake. */
export interface HandshakeFindings {
  /** Send no header that the oldest web servers do not let pass. */
  minimalHeaders: boolean;
  /** The browser let nothing pass that told of the modern era. */
  readonly isBlocked: boolean;
  /** Whether the handshake was refused as servers with an older transport do it. */
  isOlder: boolean;
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
  readonly why: Answer | string | undefined;
  nextId(): number;
  readonly findings: HandshakeFindings;
  /** Waits for an answer as long as a request may take. */
  wait(flight: Flight, method: string): Promise<Answer>;
}

// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
const SESSION_ID = /^[\x21-\x7e]+$/;

/**
 * Shakes hands: `initialize`, once more with a version the server lists if it refuses the first.
 * Throws `initialize_refused` and `unsupported_version`.
 *
 * Follows https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization
 */
export async function initialize(options: HandshakeOptions): Promise<Agreement> {
  const answer = await offer(options, options.offered);
  const agreement = agree(answer, options);
  if (agreement !== undefined) return agreement;
  const { goOnRefused } = await import("./refused-handshake.js");
  return goOnRefused(answer, options, { offer, agree });
}

/** What shakes hands. */
export interface Hands {
  offer(options: HandshakeOptions, protocolVersion: string): Promise<Answer>;
  agree(answer: Answer, options: HandshakeOptions): Agreement | undefined;
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

/** Offers one version. */
function offer({ link, identity, nextId, wait }: HandshakeOptions, protocolVersion: string): Promise<Answer> {
  const capabilities = identity.describe(revisionOf(protocolVersion));
  const params = { protocolVersion, capabilities, clientInfo: identity.clientInfo };
  const flight = link.send(createRequest(nextId(), "initialize", params), { headers: [], alone: true });
  return wait(flight, "initialize");
}

/** What an answer agrees to; `undefined` for a refusal, and for a version that this client does not accept. */
function agree(answer: Answer, { offered, exact }: HandshakeOptions): Agreement | undefined {
  if (answer.kind !== "result") return undefined;
  const { head, result } = answer;
  const { protocolVersion } = result;
  const revision = typeof protocolVersion === "string" ? REVISIONS.get(protocolVersion) : undefined;
  if (revision?.era !== "legacy" || (exact && revision.id !== offered)) return undefined;
  const sessionId = head.header("mcp-session-id");
  return { revision, result, sessionId: sessionId !== undefined && SESSION_ID.test(sessionId) ? sessionId : undefined };
}
