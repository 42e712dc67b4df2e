import { expect, test } from "vitest";
import { explainFailure, findNetworkCode } from "../../src/ask/explain-failure.js";
import { readAccess } from "../../src/providers/access.js";
import { ProviderRefusal } from "../../src/providers/provider-refusal.js";
import { PROVIDERS } from "../../src/providers/provider-table.js";
import { ToolFailure } from "../../src/tool-failure.js";

const [OPENAI] = PROVIDERS;

function explain(error: unknown): unknown {
  if (OPENAI === undefined) throw new Error("Expected a provider");
  return explainFailure(error, readAccess(OPENAI, { OPENAI_API_KEY: "secret" }), "some-model");
}

function withCode(code: string): Error {
  return Object.assign(new Error("Something secret broke"), { code });
}

test.each(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "CERT_HAS_EXPIRED", "ERR_TLS_CERT_ALTNAME_INVALID", "EPROTO"])(
  "a connection that breaks with %s is told as such, by its place alone",
  (code) => {
    const failure = explain(new TypeError("fetch failed", { cause: withCode(code) }));

    expect(failure).toBeInstanceOf(ToolFailure);
    expect(String(failure)).toContain(code);
    expect(String(failure)).toContain("https://api.openai.com");
    expect(String(failure)).not.toContain("secret");
  },
);

test("of several tries to connect, the first is told", () => {
  const error = new TypeError("fetch failed", { cause: new AggregateError([withCode("ECONNREFUSED")]) });

  expect(findNetworkCode(error)).toBe("ECONNREFUSED");
});

test("a mistake of our own stays what it is", () => {
  const mistake = Object.assign(new TypeError("Expected something else"), { code: "ERR_INVALID_ARG_TYPE" });

  expect(explain(mistake)).toBe(mistake);
});

test.each(["[", '{"error":'])("a refusal that is nested deeply in %j is told without its words", (open) => {
  const close = open === "[" ? "]" : "}";
  const body = `${open.repeat(100_000)}"secret"${close.repeat(100_000)}`;

  const failure = explain(new ProviderRefusal(400, new Headers(), body));

  expect(failure).toBeInstanceOf(ToolFailure);
  expect(String(failure)).not.toContain("secret");
});

test("a failure that something below explained already stays what it is", () => {
  const failure = new ToolFailure("Too long");

  expect(explain(new Error("It broke", { cause: failure }))).toBe(failure);
});
