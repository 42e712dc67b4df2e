// What a client that does everything gets out of the referee's scenarios.

/**
 * How many checks of each scenario succeed at least, by revision. A client that leaves something out makes fewer: the referee
 * looks at what was sent, and is content where nothing was.
 *
 * @type {Readonly<Record<string, Readonly<Record<string, number>>>>}
 */
export const CLIENT_CHECKS = {
  initialize: { "2025-06-18": 1, "2025-11-25": 1 },
  tools_call: { "2025-06-18": 2, "2025-11-25": 2, "2026-07-28": 2 },
  "elicitation-sep1034-client-defaults": { "2025-11-25": 5 },
  "sse-retry": { "2025-11-25": 3 },
  "request-metadata": { "2026-07-28": 8 },
  "http-standard-headers": { "2026-07-28": 9 },
  "http-custom-headers": { "2026-07-28": 18 },
  "http-invalid-tool-headers": { "2026-07-28": 12 },
  "sep-2322-client-request-state": { "2026-07-28": 5 },
  "json-schema-ref-no-deref": { "2026-07-28": 1 },
  "json-schema-2020-12-preservation": { "2025-11-25": 9, "2026-07-28": 9 },
  "auth/2025-03-26-oauth-endpoint-fallback": { "2025-03-26": 4 },
  "auth/2025-03-26-oauth-metadata-backcompat": { "2025-03-26": 9 },
  "auth/authorization-server-migration": { "2026-07-28": 14 },
  "auth/basic-cimd": { "2025-11-25": 10, "2026-07-28": 10 },
  "auth/client-credentials-basic": { "2025-11-25": 5, "2026-07-28": 5 },
  "auth/client-credentials-jwt": { "2025-11-25": 5, "2026-07-28": 5 },
  "auth/dpop": { "2025-11-25": 12, "2026-07-28": 13 },
  "auth/dpop-nonce": { "2025-11-25": 14, "2026-07-28": 15 },
  "auth/enterprise-managed-authorization": { "2025-11-25": 6, "2026-07-28": 6 },
  "auth/iss-normalized": { "2026-07-28": 8 },
  "auth/iss-not-advertised": { "2026-07-28": 12 },
  "auth/iss-supported": { "2026-07-28": 12 },
  "auth/iss-supported-missing": { "2026-07-28": 8 },
  "auth/iss-unexpected": { "2026-07-28": 8 },
  "auth/iss-wrong-issuer": { "2026-07-28": 8 },
  "auth/metadata-default": { "2025-11-25": 15, "2026-07-28": 16 },
  "auth/metadata-issuer-mismatch": { "2026-07-28": 3 },
  "auth/metadata-var1": { "2025-11-25": 15, "2026-07-28": 16 },
  "auth/metadata-var2": { "2025-11-25": 15, "2026-07-28": 16 },
  "auth/metadata-var3": { "2025-11-25": 15, "2026-07-28": 16 },
  "auth/offline-access-not-supported": { "2026-07-28": 12 },
  "auth/offline-access-scope": { "2026-07-28": 13 },
  "auth/pre-registration": { "2025-11-25": 10, "2026-07-28": 10 },
  "auth/resource-mismatch": { "2026-07-28": 2 },
  "auth/scope-from-scopes-supported": { "2025-11-25": 11, "2026-07-28": 12 },
  "auth/scope-from-www-authenticate": { "2025-11-25": 11, "2026-07-28": 12 },
  "auth/scope-omitted-when-undefined": { "2025-11-25": 11, "2026-07-28": 12 },
  "auth/scope-retry-limit": { "2025-11-25": 10, "2026-07-28": 11 },
  "auth/scope-step-up": { "2025-11-25": 12, "2026-07-28": 14 },
  "auth/token-endpoint-auth-basic": { "2025-06-18": 16, "2025-11-25": 16, "2026-07-28": 17 },
  "auth/token-endpoint-auth-none": { "2025-06-18": 16, "2025-11-25": 16, "2026-07-28": 17 },
  "auth/token-endpoint-auth-post": { "2025-06-18": 16, "2025-11-25": 16, "2026-07-28": 17 },
  "auth/wif-jwt-bearer": { "2025-11-25": 5, "2026-07-28": 5 },
  "sep-2640-client-no-prefetch": { "2026-07-28": 1 },
  "sep-2640-client-verify-digest": { "2026-07-28": 1 },
  "sep-2640-client-verify-frontmatter": { "2026-07-28": 1 },
  "sep-2640-client-verify-size": { "2026-07-28": 1 },
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
