/** What a request line asks for. */
export interface RequestTarget {
  /** The path alone: no query. */
  readonly path: string;
  /** The host and port, where the request line names them itself. */
  readonly authority: string | undefined;
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)([^?#]*)/i;
const NOT_A_PATH: RequestTarget = Object.freeze({ path: "", authority: undefined });

/**
 * Reads a request target. Nearly every one is a path; proxies may send a whole address, whose host then counts.
 * https://www.rfc-editor.org/rfc/rfc9112.html#name-request-target
 */
export function readTarget(target: string): RequestTarget {
  if (target.charCodeAt(0) === 0x2f) {
    const query = target.indexOf("?");
    return { path: query === -1 ? target : target.slice(0, query), authority: undefined };
  }
  const match = ABSOLUTE.exec(target);
  if (match === null) return NOT_A_PATH;
  return { path: match[2] === "" ? "/" : (match[2] ?? ""), authority: match[1] };
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
