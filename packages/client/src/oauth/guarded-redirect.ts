import type { MortiseError } from "@mortise/core";
import type { GuardedRequest } from "./guarded-request.js";

/** A request that was answered with a redirect, or with what came of one. */
export interface RedirectedRequest {
  readonly request: GuardedRequest;
  /** The address that was asked. */
  readonly from: URL;
  readonly response: Response;
  /** Whether the answer points elsewhere, rather than being what was asked for. */
  readonly pointsElsewhere: boolean;
  /** Whether nothing may be followed that is not seen. */
  readonly hosted: boolean;
  /** Reads an address that may be visited. Rejects with `address_refused`. */
  check(address: string, named: string): Promise<URL>;
  /** Sends the request again and has the runtime follow. */
  follow(): Promise<Response>;
  fail(reason: string): MortiseError;
}

/** Gives where a redirect leads, if it may be followed, or the answer where the runtime itself followed one. */
export async function takeRedirect(redirected: RedirectedRequest): Promise<URL | Response> {
  const { request, response, pointsElsewhere, hosted } = redirected;
  const isHidden = response.type === "opaqueredirect";
  if (response.redirected) await checkFollowed(redirected, response);
  // Browsers do not tell where a redirect leads, and follow it themselves within their own rules; what comes of it is used only if
  // the address it came from would have been visited.
  if (isHidden && request.method !== "POST" && !hosted) {
    const followed = await redirected.follow();
    await checkFollowed(redirected, followed);
    return followed;
  }
  if (!pointsElsewhere) return response;
  await response.body?.cancel();
  return await findTarget(redirected);
}

/** What a POST carries was meant for the address that was asked, and no other. */
async function findTarget({ request, from, response, check, fail }: RedirectedRequest): Promise<URL> {
  const location = response.headers.get("location");
  if (request.method === "POST") throw fail("it answered with a redirect");
  if (location === null || !URL.canParse(location, from.href))
    throw fail("it answered with a redirect to no valid address");
  const target = await check(new URL(location, from).href, `a redirect of ${request.named}`);
  if (from.protocol === "https:" && target.protocol !== "https:")
    throw fail("it answered with a redirect from https to http");
  return target;
}

/** Some runtimes follow redirects whatever they are told: what comes of it counts only if it could have been asked for. */
async function checkFollowed({ request, check, fail }: RedirectedRequest, response: Response): Promise<void> {
  if (request.method === "POST") throw fail("it answered with a redirect, which this runtime followed");
  await check(response.url, `a redirect of ${request.named}`);
}
