import { MortiseError } from "@mortise/core";
import type { HttpExchange } from "./http-exchange.js";
import type { HttpHead } from "./platform/platform.js";

/** What a redirect is judged with. */
export interface RedirectMeans {
  /** How many redirects one request may take. */
  readonly most: number;
  /** Gives an address as it may be shown. */
  describeUrl(url: URL): string;
}

/** Goes where the server points, if that may be done. Throws `redirect_refused`. Loaded with the first redirect of a client. */
export function followRedirect(exchange: HttpExchange, head: HttpHead, means: RedirectMeans): void {
  if (exchange.isSettled) return;
  const target = findTarget(exchange, head, means);
  if (target instanceof MortiseError) throw target;
  exchange.sendTo(target, head.status === 308);
}

/**
 * Decides about a redirect: where to send the same request again, or why not. Only 307 and 308 keep a method other than
 * GET and the body, and only the same origin may receive the configured headers.
 */
function findTarget(
  { request: { url: from, method }, hops }: HttpExchange,
  head: HttpHead,
  { most, describeUrl }: RedirectMeans,
): URL | MortiseError {
  const shown = describeUrl(from);
  if (head.finalUrl !== undefined) return refuse(shown, new URL(head.finalUrl).origin, "it leaves the origin");
  if (head.status === 0) return refuse(shown, "another address", "this runtime does not tell where");
  const location = head.header("location");
  const target = location !== undefined && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (target === undefined) return refuse(shown, "no valid address", `HTTP ${head.status} without a location`);
  if (target.origin !== from.origin) return refuse(shown, target.origin, "it leaves the origin");
  if (head.status !== 307 && head.status !== 308 && method !== "GET")
    return refuse(shown, describeUrl(target), `HTTP ${head.status} would turn the ${method} into a GET`);
  if (hops >= most)
    return new MortiseError("redirect_refused", `Expected at most ${most} redirects, the last of them from ${shown}`);
  target.hash = "";
  return target;
}

function refuse(from: string, target: string, reason: string): MortiseError {
  return new MortiseError(
    "redirect_refused",
    `Refused a redirect from ${from} to ${target}: ${reason}; configure the final address instead`,
  );
}
