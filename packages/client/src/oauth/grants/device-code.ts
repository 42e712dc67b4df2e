import { MortiseError } from "@mortise/core";
import type { Grant, GrantContext } from "../grant.js";
import type { Members } from "../server-answer.js";
import type { TokenRefusal } from "../token-refusal.js";
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
  const { readServerAnswer, sendForm } = await import("../logins.js");
  const { metadata, client, endpoint, scope, send, signal } = context;
  const { issuer, deviceAuthorizationEndpoint: address } = metadata;
  if (address === undefined)
    throw new MortiseError("login_failed", "The authorization server gives no codes for devices");
  const params = {
    ...(scope !== undefined && { scope }),
    ...(endpoint.resource !== undefined && { resource: endpoint.resource }),
  };
  const named = 'the "device_authorization_endpoint" of the authorization server';
  const { answer, form } = await sendForm({ url: address, named, metadata, client, params, send, signal });
  const members = await readServerAnswer(answer, { what: "the request for a device code", form });
  return readAuthorization(issuer, members);
}

async function readAuthorization(issuer: string, members: Members): Promise<Authorization> {
  const { checkLoginUrl } = await import("../logins.js");
  const { verification_uri: page = members.verification_url, verification_uri_complete: complete } = members;
  const [interval, seconds] = [Number(members.interval), readSeconds(members.expires_in)];
  const userCode = readText("user_code", members.user_code);
  if (!USER_CODE.test(userCode))
    throw new MortiseError("login_failed", 'Expected "user_code" to be short enough to be typed');
  return {
    userCode,
    verificationUrl: checkLoginUrl(
      readText("verification_uri", page),
      '"verification_uri" of the authorization server',
    ),
    completeUrl:
      complete === undefined
        ? undefined
        : checkLoginUrl(
            readText("verification_uri_complete", complete),
            '"verification_uri_complete" of the authorization server',
          ),
    expiresAt: Date.now() + Math.min(seconds, MOST_SECONDS) * 1000,
    issuer,
    deviceCode: readText("device_code", members.device_code),
    interval: interval > 0 ? interval : DEFAULT_INTERVAL,
  };
}

function readText(name: string, value: unknown): string {
  if (typeof value === "string" && value !== "") return value;
  throw noCode(`"${name}" to be a string that is not empty`);
}

function readSeconds(value: unknown): number {
  const seconds = typeof value === "string" ? Number.parseFloat(value) : value;
  if (typeof seconds === "number" && seconds >= 0) return seconds;
  throw noCode('"expires_in" to be a number of seconds');
}

function noCode(expected: string): MortiseError {
  return new MortiseError("login_failed", `The authorization server's answer is no device code: expected ${expected}`);
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
      const { readRefusal } = await import("../logins.js");
      interval = slowDown(interval, error, readRefusal(error));
    }
  }
}

/** How long to wait before the next question, in seconds. Throws the error when there is none. */
function slowDown(interval: number, error: unknown, refusal: TokenRefusal | undefined): number {
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
