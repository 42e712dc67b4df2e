import { MortiseError } from "@mortise/core";
import { describeUrl } from "./failures.js";
import type { HttpHead, HttpRequest } from "./platform/platform.js";

/** How many redirects one request may take. */
export const MAX_HOPS = 5;

/** Tells whether a status points elsewhere. Browsers hide a redirect behind status 0. */
export function isRedirect(status: number): boolean {
  return status === 0 || status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/**
 * Decides about a redirect: where to send the same request again, or why not. Only 307 and 308 keep a method other than
 * GET and the body, and only the same origin may receive the configured headers. `undefined` means there is nothing to decide: a
 * layer below followed a redirect that stayed on the origin.
 */
export function followRedirect({ url: from, method }: HttpRequest, head: HttpHead): URL | MortiseError | undefined {
  if (head.finalUrl !== undefined) {
    const { origin } = new URL(head.finalUrl);
    return origin === from.origin ? undefined : refuse(from, origin, "it leaves the origin");
  }
  if (head.status === 0) return refuse(from, "another address", "this runtime does not tell where");
  const location = head.header("location");
  const target = location !== undefined && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (target === undefined) return refuse(from, "no valid address", `HTTP ${head.status} without a location`);
  if (target.origin !== from.origin) return refuse(from, target.origin, "it leaves the origin");
  if (head.status !== 307 && head.status !== 308 && method !== "GET")
    return refuse(from, describeUrl(target), `HTTP ${head.status} would turn the ${method} into a GET`);
  target.hash = "";
  return target;
}

function refuse(from: URL, target: string, reason: string): MortiseError {
  return new MortiseError(
    "redirect_refused",
    `Refused a redirect from ${describeUrl(from)} to ${target}: ${reason}; configure the final address instead`,
  );
}
