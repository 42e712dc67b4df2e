import {
  ASSUMED_PROTOCOL_VERSION,
  classifyMessage,
  createError,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  LEGACY_PROTOCOL_VERSION,
  MortiseError,
  REVISIONS,
  type Revision,
  RPC,
  readableId,
  revisionOf,
  selectEra,
} from "@mortise/core";
import { Call } from "./call.js";
import type { Carrier } from "./carrier.js";
import type { Eras } from "./eras.js";
import { run } from "./run.js";
import { type Sealed, sealError } from "./sealed.js";

/** Looks a header up, or holds them all by name. */
export type HeaderSource =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** What is known of a message that is handled without a transport. */
export interface HandleOptions {
  /** What handlers see as their transport. @default "direct" */
  readonly transport?: string | undefined;
  /** The headers it came with. With them, modern requests are held to their header rules. */
  readonly headers?: HeaderSource | undefined;
  /** Cancels the call when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The version to read the message by when nothing in it tells; a modern one holds it to the envelope. An unknown one
   * rejects with `invalid_options`. @default "2025-11-25"; "2025-03-26" for messages that came with headers
   */
  readonly protocolVersion?: string | undefined;
  /** Who the caller is. */
  readonly principal?: string | undefined;
  /** What an authorization check found, for handlers. */
  readonly auth?: unknown;
  /** Whatever handlers should have besides. */
  readonly context?: unknown;
  readonly sessionId?: string | undefined;
  /** Receives the notices sent while the call runs. */
  readonly send?: ((notification: JsonRpcNotification) => void | Promise<void>) | undefined;
}

/**
 * Runs one decoded message. Resolves with the response, or with `null` where none is due: for notifications, for
 * responses, and for calls that were cancelled. Never rejects for what the message holds.
 */
export async function handleMessage(
  eras: Eras,
  message: unknown,
  options: HandleOptions,
): Promise<JsonRpcResponse | null> {
  const kind = classifyMessage(message);
  if (kind === "notification" || kind === "response") return null;
  if (kind !== "request") {
    return createError(readableId(message), { code: RPC.invalidRequest, message: "Expected one JSON-RPC 2.0 message" });
  }
  const opened = open(eras, message as JsonRpcRequest, options); // classified
  if (!(opened instanceof Call)) return decode(opened);
  return runUntilCancelled(opened, options.signal);
}

function open(eras: Eras, request: JsonRpcRequest, options: HandleOptions): Call | Sealed {
  const carrier = createCarrier(options);
  const named = readNamed(options.protocolVersion);
  const assumed = options.headers === undefined ? LEGACY_PROTOCOL_VERSION : ASSUMED_PROTOCOL_VERSION;
  const selection = selectEra(request, {
    headerVersion: carrier.header?.("mcp-protocol-version") ?? (named?.era === "modern" ? named.id : undefined),
    assumed: named?.era === "legacy" ? named : revisionOf(assumed),
  });
  switch (selection.era) {
    case "refused":
      return sealError(request.id, selection.refusal.error, selection.refusal.status);
    case "modern":
      return eras.modern.open(request, { ...carrier, announces: options.send !== undefined });
    case "legacy":
      return eras.legacy.open(request, carrier, selection.revision);
  }
}

async function runUntilCancelled(call: Call, signal: AbortSignal | undefined): Promise<JsonRpcResponse | null> {
  const cancelled = new Promise<null>((resolve) => {
    call.onCancelled = () => resolve(null);
  });
  const abort = (): void => call.cancel(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted === true) call.cancel(signal.reason);
  try {
    if (call.cancelled) return null;
    const sealed = await Promise.race([run(call), cancelled]);
    return sealed === null || call.cancelled ? null : decode(sealed);
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

function decode({ text }: Sealed): JsonRpcResponse {
  return JSON.parse(text) as JsonRpcResponse; // sealed by this package
}

function createCarrier(options: HandleOptions): Carrier {
  const { transport = "direct", headers, principal, auth, context, sessionId, send } = options;
  return {
    transport,
    header: headers === undefined ? undefined : createLookup(headers),
    principal,
    auth,
    context,
    sessionId,
    // The text was made from a notification by this package.
    ...(send === undefined ? {} : { send: (notice: string) => send(JSON.parse(notice) as JsonRpcNotification) }),
  };
}

function createLookup(headers: HeaderSource): (name: string) => string | undefined {
  if (isGetter(headers)) return (name) => headers.get(name) ?? undefined;
  const values = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => {
    const value = values.get(name);
    return value === undefined ? undefined : String(Array.isArray(value) ? value.join(", ") : value);
  };
}

function isGetter(headers: HeaderSource): headers is { get(name: string): string | null | undefined } {
  return typeof headers.get === "function";
}

function readNamed(protocolVersion: string | undefined): Revision | undefined {
  if (protocolVersion === undefined) return undefined;
  const named = REVISIONS.get(protocolVersion);
  if (named !== undefined) return named;
  const known = [...REVISIONS.keys()].join(", ");
  throw new MortiseError("invalid_options", `Expected "protocolVersion" to be one of ${known}`);
}
