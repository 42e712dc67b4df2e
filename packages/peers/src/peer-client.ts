/** Which protocol era a connection uses. */
export type Era = "modern" | "legacy";

/** Where a server is: a program to start, or an endpoint. */
export type Target =
  | { readonly command: string; readonly args: readonly string[]; readonly env?: Record<string, string> }
  | { readonly url: string };

/** A tool's result, as every client hands it out. */
export interface CallResult {
  readonly isError: boolean;
  readonly texts: readonly string[];
  readonly structured: unknown;
}

/** What one call may ask for. */
export interface CallOptions {
  readonly onProgress?: (progress: number) => void;
  readonly signal?: AbortSignal;
}

/** A connected client, whoever wrote it. A call rejects with an error that has the JSON-RPC `code`, where the server sent one. */
export interface Connection {
  readonly serverName: string | undefined;
  readonly protocolVersion: string | undefined;
  readonly era: Era;
  listTools(): Promise<readonly string[]>;
  call(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<CallResult>;
  /** Asks whether the server is there. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A client that can be pointed at a server. */
export interface PeerClient {
  readonly name: string;
  readonly eras: readonly Era[];
  /** Whether a progress notice is lost when it arrives in one block of bytes with the result, as it may on a pipe. */
  readonly losesProgress: boolean;
  /** The eras in which it can ask whether the server is there. */
  readonly pings: readonly Era[];
  connect(target: Target): Promise<Connection>;
}

/** Reads a `CallToolResult` of any client. */
export function readResult(result: { content?: unknown; isError?: unknown; structuredContent?: unknown }): CallResult {
  const blocks = Array.isArray(result.content) ? (result.content as { type?: unknown; text?: unknown }[]) : []; // read member by member
  const texts = blocks.flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : []));
  return { isError: result.isError === true, texts, structured: result.structuredContent };
}
