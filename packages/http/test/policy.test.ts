import { MortiseError } from "@mortise/core";
import { describe, expect, test } from "vitest";
import type { HandlerOptions } from "../src/handler-options.js";
import { createPolicy } from "../src/policy.js";

/** Options that a program without types could pass. */
const WRONG: readonly { title: string; options: object }[] = [
  { title: "an option that does not exist", options: { allowedHost: ["a"] } },
  { title: "a path without a slash", options: { path: "mcp" } },
  { title: "a path with a query", options: { path: "/mcp?x" } },
  { title: "a path that is no text", options: { path: 5 } },
  { title: "versions that are no list", options: { protocolVersions: "2026-07-28" } },
  { title: "a version that is no text", options: { protocolVersions: [2026] } },
  { title: "a version that never was", options: { protocolVersions: ["2020-01-01"] } },
  { title: "no version at all", options: { protocolVersions: [] } },
  { title: "a host that is no list", options: { allowedHosts: "localhost" } },
  { title: "a host with a scheme", options: { allowedHosts: ["https://mcp.example.com"] } },
  { title: "a host that is no text", options: { allowedHosts: [5] } },
  { title: "an origin that is no list", options: { allowedOrigins: "https://app.example.com" } },
  { title: "an origin without a scheme", options: { allowedOrigins: ["app.example.com"] } },
  { title: "an origin with a path", options: { allowedOrigins: ["https://app.example.com/x"] } },
  { title: "a star in a list of origins", options: { allowedOrigins: ["*"] } },
  { title: "cors: true", options: { cors: true } },
  { title: "a header name with a blank", options: { cors: { allowHeaders: ["a b"] } } },
  { title: "header names that are no list", options: { cors: { exposeHeaders: "x" } } },
  { title: "credentials for every origin", options: { cors: { credentials: true }, allowedOrigins: "*" } },
  { title: "an unknown choice of parameter headers", options: { cors: { paramHeaders: "all" } } },
  { title: "a negative age", options: { cors: { maxAge: -1 } } },
  { title: "no byte at all", options: { maxMessageBytes: 0 } },
  { title: "bytes as text", options: { maxMessageBytes: "1mb" } },
  { title: "endless bytes", options: { maxBodyBytes: Number.POSITIVE_INFINITY } },
  { title: "two limits", options: { maxMessageBytes: 1, maxBodyBytes: 2 } },
  { title: "an unknown way to look at Accept", options: { requireAccept: "yes" } },
  { title: "an unknown way to answer", options: { responseMode: "xml" } },
  { title: "an unknown way to disconnect", options: { onDisconnect: { modern: "ignore" } } },
  { title: "an unknown moment to disconnect", options: { onDisconnect: { modem: "abort" } } },
  { title: "disconnecting as text", options: { onDisconnect: "abort" } },
  { title: "a hook that is no function", options: { onError: "log" } },
  { title: "an unknown detail of cors", options: { cors: { constructor: 1 } } },
  { title: "a negative interval", options: { keepAlive: -1 } },
  { title: "an interval that is no number", options: { keepAlive: Number.NaN } },
  { title: "an interval beyond what timers can wait", options: { keepAlive: 2 ** 31 } },
  { title: "a flag that is no flag", options: { rejectModernNotifications: "no" } },
  { title: "an excuse that does not exist", options: { lenient: { ids: true } } },
  { title: "an excuse that is no flag", options: { lenient: { batches: "yes" } } },
  { title: "leniency as a flag", options: { lenient: true } },
  { title: "a verifier without verify", options: { auth: {} } },
  { title: "no verifier", options: { auth: null } },
  { title: "a reporter that is no function", options: { onError: "console" } },
  { title: "a receiver of warnings that is no function", options: { onWarning: true } },
  { title: "a list", options: [] },
];

describe("createPolicy", () => {
  test.each(WRONG)("throws for $title", ({ options }) => {
    // What is tested is that types alone are not relied on.
    const create = () => createPolicy(options as HandlerOptions);

    expect(create).toThrow(MortiseError);
    expect(create).toThrow(expect.objectContaining({ code: "invalid_options" }));
  });

  test("has safe defaults", () => {
    const policy = createPolicy();

    expect(policy).toMatchObject({
      path: "/mcp",
      maxBytes: 1_048_576,
      requireAccept: "warn",
      responseMode: "auto",
      onDisconnect: { modern: "abort", legacy: "continue" },
      keepAlive: 15_000,
      rejectModernNotifications: false,
    });
    expect(policy.allowsOrigin("https://evil.example")).toBe(false);
  });

  test("takes both names of the limit, and the same number twice", () => {
    expect(createPolicy({ maxBodyBytes: 5 }).maxBytes).toBe(5);
    expect(createPolicy({ maxBodyBytes: 5, maxMessageBytes: 5 }).maxBytes).toBe(5);
  });

  test("survives hooks that throw", () => {
    const broken = (): never => {
      throw new Error("broken hook");
    };
    const policy = createPolicy({ onError: broken, onWarning: broken });

    expect(() => policy.onError(new Error("x"))).not.toThrow();
    expect(() => policy.warn("x")).not.toThrow();
  });

  test("takes origins of extensions and sandboxes", () => {
    const { allowsOrigin } = createPolicy({ allowedOrigins: ["vscode-webview://abc", "null"] });

    expect([allowsOrigin("vscode-webview://abc"), allowsOrigin("null"), allowsOrigin("vscode-webview://x")]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
