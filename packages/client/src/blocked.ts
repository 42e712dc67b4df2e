import { MortiseError } from "@mortise/core";
import { isOpaqueFailure } from "./browser.js";
import type { HttpTarget } from "./settings.js";

/** How long it may take to find out whether a server is there, in milliseconds. */
const LOOK_MS = 3_000;

/**
 * Says why a page could not connect; gives other failures back. The browser tells it nothing, but lets it ask whether anybody answers at all: then what keeps
 * page and server apart is CORS.
 *
 * Follows https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export async function explainBlock(
  cause: MortiseError,
  { url, fetch: given, address }: Pick<HttpTarget, "url" | "fetch"> & { readonly address: string },
): Promise<MortiseError> {
  if (!isOpaqueFailure(cause)) return cause;
  const page = (globalThis as { location?: { origin?: unknown; protocol?: unknown } }).location; // pages and workers have one
  const pages = typeof page?.origin === "string" ? `pages of ${page.origin}` : "this page";
  if (given === undefined && !(await isThere(url))) {
    const reason =
      page?.protocol === "https:" && url.protocol === "http:"
        ? "the browser does not let a page from https: call http:"
        : 'nothing answers there, or the page\'s Content-Security-Policy forbids it in "connect-src"';
    return new MortiseError("connection_failed", `Could not get an answer from ${address}: ${reason}`, { cause });
  }
  return new MortiseError(
    "connection_failed",
    `The browser did not let ${pages} use ${address}, most likely for want of CORS headers: "Access-Control-Allow-Origin" has to be on every answer, errors such as 401 included, and "Access-Control-Allow-Headers" on those to preflights`,
    { cause },
  );
}

/** Says which headers keep the browser from sending a call; they are those of the arguments, since the connection stands. Gives other failures back. */
export function explainMirror(cause: MortiseError, mirror: readonly string[]): MortiseError {
  if (!isOpaqueFailure(cause)) return cause;
  const names = mirror.filter((_, at) => at % 2 === 0).join(", ");
  return new MortiseError(
    "connection_failed",
    `The browser blocked the call, probably because the server's Access-Control-Allow-Headers does not list ${names}`,
    { cause },
  );
}

/** Says why a server may not know the session that it has just opened. */
export function explainHiddenSession(cause: Error): MortiseError {
  return new MortiseError(
    "http_status",
    `${cause.message}. If the server opens sessions, its answers have to name Mcp-Session-Id in "Access-Control-Expose-Headers": the page could not read one`,
    { cause },
  );
}

/** Tells whether anybody answers, with a request whose answer nobody can read, without anything secret in it. */
async function isThere(url: URL): Promise<boolean> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), LOOK_MS);
  try {
    const address = url.origin + url.pathname;
    await fetch(address, { mode: "no-cors", credentials: "omit", signal: controller.signal });
    return true;
  } catch {
    // The browser says no more than that it failed, which is the answer.
    return false;
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}
