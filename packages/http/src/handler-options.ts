import type { Verifier } from "./auth.js";
import type { CorsOption } from "./cors.js";
import type { AllowedHosts } from "./host-rule.js";
import type { LegacyOptions } from "./legacy-options.js";
import type { LenientOptions } from "./lenient.js";
import type { AllowedOrigins } from "./origin-rule.js";

/** What happens to a call whose caller leaves before the answer is complete. */
export interface DisconnectPolicy {
  /** @default "abort", as the specification demands */
  readonly modern?: "abort" | "continue" | undefined;
  /** @default "continue", as the specification asks */
  readonly legacy?: "abort" | "continue" | undefined;
}

/** How an HTTP handler treats requests. Every default is the safe choice. */
export interface HandlerOptions {
  /** The path of the endpoint, compared exactly. `"*"` takes every path, for programs that route themselves. @default "/mcp" */
  readonly path?: string | undefined;
  /**
   * Protocol versions spoken at this endpoint, the preferred first; those that the server does not speak are left out.
   * @default what the server speaks
   */
  readonly protocolVersions?: readonly string[] | undefined;
  /**
   * Hosts that may be asked for. `"auto"` checks connections that end at a loopback address: they must ask for
   * `localhost`, 127.0.0.0/8 or `[::1]`, in any case, with or without a trailing dot, and with the connection's own
   * port or none. Fetch handlers cannot know the address and rely on `allowedOrigins` unless a list is given. A list
   * holds hosts, with a port (that port alone) or without (every port); the entry `"loopback"` stands for this machine's
   * names on every port. `"*"` allows everything. Forwarding headers are never read. @default "auto"
   */
  readonly allowedHosts?: AllowedHosts | undefined;
  /**
   * Origins whose pages may call; a request without `Origin` passes. `"loopback"` means pages of this machine on every
   * port; a list holds origins and may hold `"loopback"` and `"null"`; `"*"` allows every page. @default "loopback"
   */
  readonly allowedOrigins?: AllowedOrigins | undefined;
  /**
   * `"auto"` lets pages whose origin passed read answers, and answers preflights; `"*"` sends a literal star; `false`
   * sends nothing and answers `OPTIONS` with 405, for programs that do it themselves. @default "auto"
   */
  readonly cors?: CorsOption | undefined;
  /** Largest body accepted, in bytes. Larger ones are answered with 413. @default 1_048_576 */
  readonly maxMessageBytes?: number | undefined;
  /** Another name of `maxMessageBytes`. */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Whether `Accept` must name both `application/json` and `text/event-stream`, or ranges that cover them. `"strict"`
   * answers 406 otherwise, `"warn"` tells `onWarning` once, `"off"` does not look. @default "warn"
   */
  readonly requireAccept?: "warn" | "strict" | "off" | undefined;
  /**
   * `"auto"` answers with JSON unless a notice comes first, or nothing for one keep-alive interval; `"json"` always, and
   * drops notices; `"sse"` answers every successful request with an event stream. A peer is only sent what it accepts.
   * @default "auto"
   */
  readonly responseMode?: "auto" | "json" | "sse" | undefined;
  /** What happens to a call whose caller leaves. @default { modern: "abort", legacy: "continue" } */
  readonly onDisconnect?: DisconnectPolicy | undefined;
  /** Milliseconds between comments on an event stream that keep it open. 0 or `"off"` sends none. @default 15_000 */
  readonly keepAlive?: number | "off" | undefined;
  /** Answers modern notifications with 400 rather than 202: the revision defines none over HTTP. @default false */
  readonly rejectModernNotifications?: boolean | undefined;
  /** Departures from the specification for peers that need them. See also `requireAccept`. @default none */
  readonly lenient?: LenientOptions | undefined;
  /** What is done for clients of legacy revisions beyond answering each request alone. @default nothing */
  readonly legacy?: LegacyOptions | undefined;
  /** Checks who is calling, before the body is read. @default nobody is checked */
  readonly auth?: Verifier | undefined;
  /** Receives every failure that was not meant for the peer. @default silent */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Receives, once each, what peers do against the specification without being refused. @default silent */
  readonly onWarning?: ((message: string) => void) | undefined;
}
