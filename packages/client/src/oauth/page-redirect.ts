import { invalidOptions, MortiseError } from "@mortise/core";
import { checkLoginUrl, isLoopback } from "./address-rules.js";
import type { Redirect } from "./redirect.js";

/** How a whole page goes to the login page, and which page it comes back to. */
export interface PageRedirectOptions {
  /** The page that logins come back to, as it is registered. It calls `finish(location.href)` of an `oauth()` with the same store. */
  readonly uri: string;
  /** Leaves for the login page. @default location.assign */
  readonly navigate?: ((url: URL) => void) | undefined;
}

/**
 * Sends the whole page to the login page. What waits for the login then ends with the page, or with its signal. The store has to
 * outlive the page, as `browserStore()` does. Throws `invalid_options` for an address that logins cannot come back to.
 */
export function pageRedirect(options: PageRedirectOptions): Redirect {
  const { uri, navigate = (url: URL) => globalThis.location.assign(url) } = options;
  return {
    applicationType: checkRedirectUri(uri),
    uris: [uri],
    async open() {
      const closed = new AbortController();
      return {
        uri,
        async visit(url, { signal }) {
          signal.throwIfAborted();
          navigate(checkLoginUrl(url.href, "the login page"));
          return await untilAborted(AbortSignal.any([signal, closed.signal]));
        },
        close: () => closed.abort(new MortiseError("aborted", "The login was given up")),
      };
    },
  };
}

/** Tells what a page of this address is to authorization servers. Throws `invalid_options` for what no page has. @package */
export function checkRedirectUri(uri: unknown): Redirect["applicationType"] {
  const url = typeof uri === "string" && URL.canParse(uri) ? new URL(uri) : undefined;
  const isLocal = url !== undefined && isLoopback(url.hostname);
  if (url === undefined || !(url.protocol === "https:" || (url.protocol === "http:" && isLocal)) || url.hash !== "")
    throw invalidOptions('"uri" to be an https: address without a fragment, or an http: one of this machine');
  return isLocal ? "native" : "web";
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
