import type { HandlerOptions } from "./handler-options.js";

/** Options for common ways to serve. See `presets`. */
export interface Presets {
  /** Legacy clients of 2025 get sessions in this process's memory; programs and pages of this machine may call. */
  readonly sessions: HandlerOptions;
  /** Each request stands alone and is answered with JSON, strictly by the specification; no page may call. */
  readonly stateless: HandlerOptions;
  /**
   * Every web page may call, also with clients that speak 2024-11-05 and demand a session id, which is minted and not stored.
   * For servers that do no harm to whom they serve, or that check who is calling: without `auth`, any page that somebody visits can
   * use a server on that person's machine.
   */
  readonly browser: HandlerOptions;
}

/**
 * Plain, frozen options to pass to a handler as they are, or to spread and change.
 *
 * @example
 * await server.listen(http({ port: 3000, ...presets.stateless, allowedOrigins: ["https://app.example.com"] }));
 */
export const presets: Presets = /* @__PURE__ */ freeze({
  sessions: {
    protocolVersions: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"],
    legacy: { sessions: "memory" },
  },
  stateless: {
    protocolVersions: ["2026-07-28", "2025-06-18"],
    allowedOrigins: [],
    cors: false,
    requireAccept: "strict",
    responseMode: "json",
    rejectModernNotifications: true,
  },
  browser: {
    protocolVersions: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
    allowedOrigins: "*",
    cors: "*",
    requireAccept: "off",
    legacy: { mintSessionId: true },
  },
});

/** Freezes a value and everything in it. */
function freeze<Value extends object>(value: Value): Value {
  for (const member of Object.values(value)) if (typeof member === "object" && member !== null) freeze(member);
  return Object.freeze(value);
}
