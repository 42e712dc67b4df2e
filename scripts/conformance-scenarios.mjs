// What the referee is asked to judge, per leg and revision of the protocol.

const TOOLS = [
  "tools-list",
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-error",
  "tools-call-with-progress",
];

/** Scenarios in which the referee is the client and `apps/conformance` the server. */
export const SERVER_SCENARIOS = {
  "2025-11-25": ["server-initialize", "ping", ...TOOLS, "tools-call-with-logging", "dns-rebinding-protection"],
  "2026-07-28": [
    "server-stateless",
    ...TOOLS,
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
    "http-header-validation",
    "http-custom-header-server-validation",
    "json-schema-2020-12",
  ],
};
