import { MortiseError, toError } from "@mortise/core";
import { describeCause, describeUrl } from "../failures.js";
import { isRedirect, MAX_HOPS } from "../redirect.js";
import { abandonable } from "./abandonable.js";
import { type AddressRules, checkAddress, isName } from "./address-rules.js";
import type { GuardedAnswer, GuardedRequest, SendGuarded } from "./guarded-request.js";

/** Where guarded requests may go, and what they are sent with. */
export interface GuardedFetchOptions {
  /** The configured address of the protected server. What is on its machine or in its network may be visited too. */
  readonly server: URL;
  /** What requests are sent with. @default the runtime's own */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Whether only public addresses over https may be visited, wherever the server is. */
  readonly hosted: boolean;
  /** Gives the IP addresses of a name, which are then checked before anything is sent. @default names are not resolved */
  readonly resolve?: ((hostname: string, signal: AbortSignal) => Promise<readonly string[]>) | undefined;
  /** The largest answer that is read, in bytes. @default 262_144 */
  readonly maxBytes?: number | undefined;
  /** How long a request may take with its redirects and its answer, in milliseconds. @default 10_000 */
  readonly timeoutMs?: number | undefined;
}

/**
 * Makes the function that visits addresses which servers name. See `SendGuarded` for what it refuses; the specification's reasons
 * are in https://modelcontextprotocol.io/docs/2026-07-28/tutorials/security/security_best_practices
 */
export function createSendGuarded(options: GuardedFetchOptions): SendGuarded {
  const { server, hosted, timeoutMs = 10_000 } = options;
  const rules: AddressRules = { near: [server], hosted };
  return async (request) => {
    request.signal.throwIfAborted();
    const url = await checkAddress(request.url, request.named, rules);
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([request.signal, timeout]);
    try {
      // Not every `fetch` hears the signal.
      return await abandonable(visit(options, rules, { ...request, signal }, url), signal);
    } catch (error) {
      request.signal.throwIfAborted();
      if (error instanceof MortiseError) throw error;
      const reason = timeout.aborted ? `it took more than ${timeoutMs} ms` : describeCause(toError(error));
      throw fail(url, request, reason, error);
    }
  };
}

async function visit(
  options: GuardedFetchOptions,
  rules: AddressRules,
  request: GuardedRequest,
  first: URL,
): Promise<GuardedAnswer> {
  const { hosted } = options;
  const check = (address: string, named: string): Promise<URL> => checkAddress(address, named, rules);
  let url = first;
  for (let hops = 0; ; hops += 1) {
    await checkName(options, request, url.hostname, check);
    const response = await send(options, request, url, "manual");
    const pointsElsewhere = response.type === "opaqueredirect" || isRedirect(response.status);
    if (!response.redirected && !pointsElsewhere) return await readAnswer(options, request, url, response);
    const from = url;
    const { takeRedirect } = await import("./guarded-redirect.js");
    const taken = await takeRedirect({
      request,
      from,
      response,
      pointsElsewhere,
      hosted,
      check,
      follow: () => send(options, request, from, "follow"),
      fail: (reason) => fail(from, request, reason),
    });
    if (!(taken instanceof URL)) return await readAnswer(options, request, from, taken);
    if (hops >= MAX_HOPS) throw fail(from, request, `there were more than ${MAX_HOPS} redirects`);
    url = taken;
  }
}

/** Checks what a name resolves to, where the program can tell. */
async function checkName(
  { resolve }: GuardedFetchOptions,
  { named, signal }: GuardedRequest,
  hostname: string,
  check: (address: string, named: string) => Promise<URL>,
): Promise<void> {
  if (resolve === undefined || !isName(hostname)) return;
  const { checkResolved } = await import("./resolved-names.js");
  await checkResolved({ hostname, resolve, check: (address) => check(address, named), signal });
}

function send(
  { fetch = globalThis.fetch }: GuardedFetchOptions,
  { method = "GET", headers, body, signal }: GuardedRequest,
  url: URL,
  redirect: RequestRedirect,
): Promise<Response> {
  return fetch(url.href, { method, headers: { ...headers }, body: body ?? null, redirect, signal });
}

async function readAnswer(
  { maxBytes = 262_144 }: GuardedFetchOptions,
  request: GuardedRequest,
  url: URL,
  response: Response,
): Promise<GuardedAnswer> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  try {
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
      request.signal.throwIfAborted();
      size += part.value.byteLength;
      if (size > maxBytes) throw fail(url, request, `the answer is larger than ${maxBytes} bytes`);
      text += decoder.decode(part.value, { stream: true });
    }
  } catch (error) {
    void reader?.cancel().catch(() => undefined); // it is over either way
    throw error;
  }
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    text: text + decoder.decode(),
  };
}

function fail(url: URL, request: GuardedRequest, reason: string, cause?: unknown): MortiseError {
  return new MortiseError(
    "login_failed",
    `Could not ${request.method === "POST" ? "ask" : "read"} ${describeUrl(url)}, ${request.named}: ${reason}`,
    cause === undefined ? undefined : { cause },
  );
}
