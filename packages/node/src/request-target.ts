/** What a request line asks for. */
export interface RequestTarget {
  /** The path alone: no query. */
  readonly path: string;
  /** The query with its question mark, or an empty text. */
  readonly query: string;
  /** The host and port, where the request line names them itself. */
  readonly authority: string | undefined;
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)([^?#]*)(\?[^#]*)?/i;
const NOT_A_PATH: RequestTarget = Object.freeze({ path: "", query: "", authority: undefined });

/**
 * Reads a request target. Nearly every one is a path; proxies may send a whole address, whose host then counts.
 * https://www.rfc-editor.org/rfc/rfc9112.html#name-request-target
 */
export function readTarget(target: string): RequestTarget {
  if (target.charCodeAt(0) === 0x2f) {
    const mark = target.indexOf("?");
    if (mark === -1) return { path: target, query: "", authority: undefined };
    return { path: target.slice(0, mark), query: target.slice(mark), authority: undefined };
  }
  const match = ABSOLUTE.exec(target);
  if (match === null) return NOT_A_PATH;
  const [, authority, path = "", query = ""] = match;
  return { path: path === "" ? "/" : path, query, authority };
}

/** Builds a reader that remembers the last target, since most requests ask for the same one. */
export function createTargetReader(): (target: string) => RequestTarget {
  let last: string | undefined; // never equal to a target until one was read
  let read = NOT_A_PATH;
  return (target) => {
    if (target === last) return read;
    read = readTarget(target);
    last = target;
    return read;
  };
}
