const REASONS: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "nothing listens there"],
  ["ENOTFOUND", "no such host"],
  ["EPROTO", "no TLS handshake: is it an http: address?"],
]);

/** Says what an error code of the operating system means, with the code; `undefined` for one that says it itself. */
export function explainErrorCode(code: string): string | undefined {
  const reason = REASONS.get(code);
  return reason === undefined ? undefined : `${reason} (${code})`;
}
