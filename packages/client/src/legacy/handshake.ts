import {
  createNotification,
  createRequest,
  type JsonObject,
  MortiseError,
  REVISIONS,
  type Revision,
  revisionOf,
  toError,
} from "@mortise/core";
import type { Identity } from "../era.js";
import type { Answer, Flight, Link, ResultAnswer } from "../link.js";
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
  readonly why: Answer | string | undefined;
  nextId(): number;
  /** Hears that the handshake ended without an agreement, and whether an older transport may be why. */
  readonly onRefusal: ((isOlder: boolean) => void) | undefined;
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
  const { offered, exact, why } = options;
  const first = await offer(options, offered);
  if (first.kind === "result") return agree(first, offered, exact);
  const { findListedVersion, isOlderTransport, toRefusal } = await import("./refused-handshake.js");
  const listed = exact ? undefined : findListedVersion(first, offered);
  const answer = listed === undefined ? first : await offer(options, listed);
  if (answer.kind === "result") return agree(answer, listed ?? offered, exact);
  options.onRefusal?.(isOlderTransport(answer));
  throw toRefusal(answer, why);
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

function agree({ head, result }: ResultAnswer, offered: string, exact: boolean): Agreement {
  const sessionId = head.header("mcp-session-id");
  return {
    revision: readVersion(result, offered, exact),
    result,
    sessionId: sessionId !== undefined && SESSION_ID.test(sessionId) ? sessionId : undefined,
  };
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
