/** How many redirects one request may take. */
export const MAX_HOPS = 5;

/** Tells whether a status points elsewhere. Browsers hide a redirect behind status 0. */
export function isRedirect(status: number): boolean {
  return status === 0 || status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}
