import { type LookupAddress, type LookupOptions, lookup as systemLookup } from "node:dns";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { Readable } from "node:stream";
import { MortiseError } from "@mortise/core";
import { classifyAddress } from "../address-ranges.js";
import { classifyName, isName } from "../address-rules.js";

/** What decides where connections may lead. */
export interface ConnectionGuard {
  /** Gives every address of a name. */
  readonly resolve: (hostname: string, callback: (error: Error | null, addresses: LookupAddress[]) => void) => void;
  /** Tells whether an address may be connected to. */
  readonly isOpen: (address: string) => boolean;
}

/** Answers with these statuses have no body. */
const EMPTY: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/**
 * Makes a `fetch` for programs that log in on behalf of others, such as hosted agents: whatever a name resolves to, it connects to
 * public addresses only, and to the very address that was checked. Give it to `oauth({ hosted: true, fetch: hostedFetch() })`.
 * Redirects are never followed; use it for logins alone. What it refuses rejects with `address_refused`.
 */
export function hostedFetch(): typeof globalThis.fetch {
  return createHostedFetch({
    resolve: (hostname, callback) => systemLookup(hostname, { all: true }, callback),
    isOpen: (address) => classifyAddress(address) === "public",
  });
}

/** @package */
export function createHostedFetch(guard: ConnectionGuard): typeof globalThis.fetch {
  const lookup = createLookup(guard);
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    if (url.protocol !== "https:" && url.protocol !== "http:") throw refuse(url.hostname, "scheme");
    checkLiteral(url.hostname, guard);
    const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
    const answer = await exchange(request, body, lookup);
    return toResponse(answer);
  };
}

function exchange(request: Request, body: Buffer | undefined, lookup: LookupFunction): Promise<IncomingMessage> {
  const send = request.url.startsWith("https:") ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const headers = { ...Object.fromEntries(request.headers), "accept-encoding": "identity" };
    // A connection of its own: a kept one may have been made under other rules.
    const options = { method: request.method, headers, lookup, agent: false, signal: request.signal };
    const outgoing = send(request.url, options, resolve);
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function toResponse(answer: IncomingMessage): Response {
  const headers = new Headers();
  for (let at = 0; at + 1 < answer.rawHeaders.length; at += 2)
    headers.append(answer.rawHeaders[at] ?? "", answer.rawHeaders[at + 1] ?? "");
  const status = answer.statusCode ?? 0;
  if (EMPTY.has(status)) answer.resume();
  // Node types its web streams apart from the global ones, which they are.
  const body = EMPTY.has(status) ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>);
  return new Response(body, { status, headers });
}

/** Addresses that are written out are connected to without a lookup. */
function checkLiteral(hostname: string, guard: ConnectionGuard): void {
  const address = hostname.replace(/^\[|\]$/g, "");
  const kind = isName(hostname) ? classifyName(hostname) : classifyAddress(address);
  if (isName(hostname) ? kind === "metadata" : !guard.isOpen(address)) throw refuse(hostname, kind);
}

/** A name with one address that may not be connected to is refused whole: which one it takes is for the system to choose. */
function createLookup({ resolve, isOpen }: ConnectionGuard): LookupFunction {
  return (hostname, options: LookupOptions, callback) => {
    resolve(hostname, (error, addresses) => {
      const closed = error === null ? addresses.find(({ address }) => !isOpen(address)) : undefined;
      const [first] = addresses;
      if (error !== null) callback(error, "");
      else if (closed !== undefined) callback(refuse(hostname, classifyAddress(closed.address)), "");
      else if (first === undefined) callback(new Error(`No address for ${hostname}`), "");
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function refuse(hostname: string, kind: string): MortiseError {
  return new MortiseError("address_refused", `Refused to connect to ${hostname}: it is a ${kind} address`);
}
