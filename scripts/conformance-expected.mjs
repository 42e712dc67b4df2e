// What a client that does everything gets out of the referee's scenarios.

/**
 * How many checks of each scenario succeed at least, by revision. A client that leaves something out makes fewer: the referee
 * looks at what was sent, and is content where nothing was.
 *
 * @type {Readonly<Record<string, Readonly<Record<string, number>>>>}
 */
export const CLIENT_CHECKS = {
  "2025-06-18": {
    initialize: 1,
    tools_call: 2,
  },
  "2025-11-25": {
    initialize: 1,
    tools_call: 2,
    "elicitation-sep1034-client-defaults": 5,
    "sse-retry": 3,
    "json-schema-2020-12-preservation": 9,
  },
  "2026-07-28": {
    tools_call: 2,
    "request-metadata": 8,
    "sep-2322-client-request-state": 5,
    "http-standard-headers": 9,
    "http-custom-headers": 18,
    "http-invalid-tool-headers": 12,
    "json-schema-ref-no-deref": 1,
    "json-schema-2020-12-preservation": 9,
    "sep-2640-client-no-prefetch": 1,
    "sep-2640-client-verify-digest": 1,
    "sep-2640-client-verify-size": 1,
    "sep-2640-client-verify-frontmatter": 1,
  },
};

/**
 * Checks that skip themselves for a client that does everything right, by their names.
 *
 * @type {Readonly<Record<string, { why: string, checks: readonly string[] }>>}
 */
export const CLIENT_SKIPS = {
  "http-standard-headers": {
    why: "2026-07-28 has no handshake",
    checks: ["ClientMcpMethodHeader_initialize", "ClientMcpMethodHeader_notifications_initialized"],
  },
};
