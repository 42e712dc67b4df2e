/** Names and values of headers in turn, as `["Content-Type", "application/json", …]`. */
export type HeaderList = readonly string[];

/** Why a body could not be had. `gone` means that nobody is left to be told. */
export type BodyProblem = "too_large" | "not_utf8" | "consumed" | "gone";

/** A body as text, or why there is none. */
export type Body = { readonly text: string } | { readonly problem: BodyProblem };

/** A whole answer. */
export interface Reply {
  readonly status: number;
  readonly headers: HeaderList;
  readonly text: string;
  /** The rest of the body behind `text`, in UTF-8, where it is kept as bytes. */
  readonly tail?: Uint8Array | undefined;
}

/**
 * One HTTP request and its answer, without the runtime they live in. Adapters implement it; everything about the
 * protocol is decided above it, so that every adapter behaves the same.
 */
export interface Exchange {
  readonly method: string;
  /** The path alone, as it came: no query, nothing decoded. */
  readonly path: string;
  /** What a framework has cut off in front of the path, as it came. Mostly nothing. */
  readonly mount: string;
  /** The whole address that was asked for, where it can be told. */
  readonly url: string;
  /** Host and port the peer asked for. Two contradicting ones arrive as one value that no rule accepts. */
  readonly authority: string | undefined;
  /** The address this end of the connection has, where the runtime tells. */
  readonly localAddress: string | undefined;
  /** The port this end of the connection has, where the runtime tells. */
  readonly localPort: number | undefined;
  /** The body, where a framework has read it already: decoded, or its text or bytes. */
  readonly parsedBody: unknown;
  /** What a framework found out about the caller. */
  readonly auth: unknown;
  /** Whatever the embedding program wants handlers to have. */
  readonly context: unknown;
  /** The value of a header by its lower-case name; several are joined by a comma. */
  header(name: string): string | undefined;
  /** Reads the body, at most `limit` bytes of it. Called once; resolves for every outcome and never rejects. */
  readBody(limit: number): Promise<Body>;
  /** Sends a whole answer. */
  reply(answer: Reply): void;
  /** Starts an answer with status 200 whose body comes piece by piece. */
  begin(headers: HeaderList): void;
  /** Sends a piece. Gives `false` when the peer reads more slowly than pieces come. */
  write(text: string): boolean;
  /** Sends the last piece. */
  end(text: string): void;
  /** Bytes handed to `write` that the peer has not taken yet. */
  readonly backlog: number;
  /** Tells once when the peer has caught up, or has left. */
  whenDrained(listener: () => void): void;
  /** Tells when the peer leaves before the answer is complete; at once when it has left already. */
  whenGone(listener: () => void): void;
  /** Runs a function soon, after what is being done now. */
  defer(task: () => void): void;
}
