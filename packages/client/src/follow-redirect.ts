import { MortiseError } from "@mortise/core";
import { describeUrl } from "./failures.js";
import type { HttpHead, HttpRequest } from "./platform/platform.js";

/**
 * Decides about a redirect: where to send the same request again, or why not. Only 307 and 308 keep a method other than
 * GET and the body, and only the same origin may receive the configured headers. Loaded with the first redirect of a client.
 */
export function followRedirect(
  { url: from, method }: HttpRequest,
  head: HttpHead,
  { hops, most }: { readonly hops: number; readonly most: number },
): URL | MortiseError {
  if (head.finalUrl !== undefined) return refuse(from, new URL(head.finalUrl).origin, "it leaves the origin");
  if (head.status === 0) return refuse(from, "another address", "this runtime does not tell where");
  const location = head.header("location");
  const target = location !== undefined && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (target === undefined) return refuse(from, "no valid address", `HTTP ${head.status} without a location`);
  if (target.origin !== from.origin) return refuse(from, target.origin, "it leaves the origin");
  if (head.status !== 307 && head.status !== 308 && method !== "GET")
    return refuse(from, describeUrl(target), `HTTP ${head.status} would turn the ${method} into a GET`);
  if (hops > most)
    return new MortiseError(
      "redirect_refused",
      `Expected at most ${most} redirects, the last of them from ${describeUrl(from)}`,
    );
  target.hash = "";
  return target;
}

function refuse(from: URL, target: string, reason: string): MortiseError {
  return new MortiseError(
    "redirect_refused",
    `Refused a redirect from ${describeUrl(from)} to ${target}: ${reason}; configure the final address instead`,
  );
}
