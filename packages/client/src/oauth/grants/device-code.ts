import { MortiseError } from "@mortise/core";
import * as oauth from "oauth4webapi";
import { checkLoginUrl } from "../address-rules.js";
import { createClientAuthentication, toLibraryClient } from "../client-authentication.js";
import type { Grant, GrantContext } from "../grant.js";
import { askThrough } from "../library-fetch.js";
import { type Members, readServerAnswer } from "../server-answer.js";
import { createRefusalError, readRefusal } from "../token-refusal.js";
import type { TokenSet } from "../token-set.js";

/** A code that a person types into a page on another device. */
export interface DeviceCode {
  /** What is to be typed. */
  readonly userCode: string;
  /** The page to visit: https, or http on this machine. */
  readonly verificationUrl: URL;
  /** The same page with the code in its address, for QR codes and links. */
  readonly completeUrl?: URL | undefined;
  /** When the code ends, in milliseconds since 1970. */
  readonly expiresAt: number;
  /** The authorization server that asks. */
  readonly issuer: string;
}

/** How a code reaches a person. */
export interface DeviceCodeGrantOptions {
  /**
   * Shows the code. The signal aborts once the login is over, so that what is shown can go away. A rejection ends the login with it.
   */
  readonly onDeviceCode: (code: DeviceCode, signal: AbortSignal) => void | Promise<void>;
  /** Waits between two questions. @default a timer */
  readonly wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

const DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code";
const DEFAULT_INTERVAL = 5;
const SLOWER = 5;
const MOST_SECONDS = 86_400;
/** Longer ones cannot be meant to be typed. */
const USER_CODE = /^[\p{L}\p{N}\p{P}\p{S} ]{1,64}$/u;

/** What the server gave: what to show, and what to ask with. */
interface Authorization extends DeviceCode {
  readonly deviceCode: string;
  /** In seconds. */
  readonly interval: number;
}

/**
 * The grant of devices without a browser (RFC 8628): a person visits a page elsewhere, while the server is asked now and then. Rejects
 * with `login_failed` when the code ends before that, and `login_denied` when the person says no.
 */
export function createDeviceCodeGrant({ onDeviceCode, wait = waitFor }: DeviceCodeGrantOptions): Grant {
  return {
    interactive: true,
    obtain: async (context) => {
      const { deviceCode, interval, ...code } = await authorize(context);
      const over = new AbortController();
      const signal = AbortSignal.any([context.signal, over.signal]);
      try {
        const shown = new Promise<never>((_resolve, reject) => {
          Promise.resolve(onDeviceCode(code, signal)).catch(reject);
        });
        const polling = poll({ ...context, signal }, { ...code, deviceCode, interval }, wait);
        return await Promise.race([polling, shown]);
      } finally {
        over.abort(new MortiseError("aborted", "The login is over"));
      }
    },
  };
}

async function authorize(context: GrantContext): Promise<Authorization> {
  const { metadata, client, endpoint, scope, send, signal } = context;
  const { issuer, deviceAuthorizationEndpoint: address } = metadata;
  if (address === undefined)
    throw new MortiseError("login_failed", "The authorization server gives no codes for devices");
  const server = { issuer, device_authorization_endpoint: address };
  const params = {
    ...(scope !== undefined && { scope }),
    ...(endpoint.resource !== undefined && { resource: endpoint.resource }),
  };
  const sending = { send, client, named: 'the "device_authorization_endpoint" of the authorization server', signal };
  const authentication = createClientAuthentication(client, metadata);
  const { answer, secrets } = await askThrough(sending, (fetch) =>
    oauth.deviceAuthorizationRequest(server, toLibraryClient(client), authentication, params, {
      [oauth.allowInsecureRequests]: true,
      [oauth.customFetch]: fetch,
    }),
  );
  const { members, refusal } = readServerAnswer(answer, secrets);
  if (refusal !== undefined) throw createRefusalError("the request for a device code", refusal);
  return readAuthorization(server, members, context);
}

/** The strict reader's turn. Its errors carry the answer along, and end here. */
async function readAuthorization(
  server: oauth.AuthorizationServer,
  members: Members,
  context: GrantContext,
): Promise<Authorization> {
  const { verification_uri: address = members.verification_url, interval } = members;
  const text = JSON.stringify({
    ...members,
    verification_uri: address,
    interval: Number(interval) > 0 ? Number(interval) : DEFAULT_INTERVAL,
  });
  const response = new Response(text, { headers: { "content-type": "application/json" } });
  const read = await oauth
    .processDeviceAuthorizationResponse(server, toLibraryClient(context.client), response)
    .catch((error: Error) => {
      throw new MortiseError("login_failed", `The authorization server's answer is no device code: ${error.message}`);
    });
  if (!USER_CODE.test(read.user_code))
    throw new MortiseError("login_failed", 'Expected "user_code" to be short enough to be typed');
  const complete = read.verification_uri_complete;
  return {
    userCode: read.user_code,
    verificationUrl: checkLoginUrl(read.verification_uri, '"verification_uri" of the authorization server'),
    completeUrl:
      complete === undefined
        ? undefined
        : checkLoginUrl(complete, '"verification_uri_complete" of the authorization server'),
    expiresAt: Date.now() + Math.min(read.expires_in, MOST_SECONDS) * 1000,
    issuer: server.issuer,
    deviceCode: read.device_code,
    interval: read.interval ?? DEFAULT_INTERVAL,
  };
}

type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

async function poll({ endpoint, scope, signal }: GrantContext, code: Authorization, wait: Wait): Promise<TokenSet> {
  let interval = Math.max(code.interval, 1);
  for (;;) {
    const left = code.expiresAt - Date.now();
    if (left <= 0) throw new MortiseError("login_failed", "The device code was not used in time");
    await wait(Math.min(interval * 1000, left), signal);
    try {
      const tokens = await endpoint.grant(DEVICE_CODE, { device_code: code.deviceCode }, signal);
      return { ...tokens, scope: tokens.scope ?? scope };
    } catch (error) {
      interval = slowDown(interval, error);
    }
  }
}

/** How long to wait before the next question, in seconds. Throws the error when there is none. */
function slowDown(interval: number, error: unknown): number {
  const refusal = readRefusal(error);
  if (refusal?.error === "authorization_pending") return interval;
  if (refusal?.error === "slow_down") return interval + SLOWER;
  const unreachable = error instanceof MortiseError && error.code === "login_failed" && error.cause instanceof Error;
  const down = refusal?.error === undefined && (refusal?.status ?? 0) >= 500;
  if (unreachable || down) return Math.min(interval * 2, MOST_SECONDS);
  throw error;
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
