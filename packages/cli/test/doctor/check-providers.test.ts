import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describeProviders } from "@mortise/tools";
import { afterEach, describe, expect, test } from "vitest";
import { checkProviders } from "../../src/doctor/check-providers.js";
import type { Finding } from "../../src/doctor/finding.js";
import type { Environment } from "../../src/environment.js";

let close: () => void = () => undefined;
afterEach(() => close());

/** A provider that speaks like most of them: it knows one key. */
async function startProvider(key: string): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      const isKnown = request.headers.authorization === `Bearer ${key}`;
      const message = { role: "assistant", content: "ready" };
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
      const choices = [{ index: 0, message, finish_reason: "stop" }];
      const body = isKnown
        ? { id: "1", object: "chat.completion", created: 1, model: "m", choices, usage }
        : { error: { message: "Incorrect API key provided", type: "invalid_request_error" } };
      response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  close = () => void server.close();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`; // a server on a port has one
}

async function check(env: Environment, live = false): Promise<readonly Finding[]> {
  return (await checkProviders({ env, live, timeoutMs: 10_000 })).findings;
}

describe("providers", () => {
  test("are named with their models, and never with their keys", async () => {
    const findings = await check({ DEEPSEEK_API_KEY: "secret-value", GROQ_API_KEY: "secret-value", GROQ_MODEL: "g" });

    expect(findings.map(({ state, text }) => [state, text])).toEqual([
      ["ok", "DeepSeek: deepseek-chat"],
      ["ok", "Groq: g"],
    ]);
  });

  test("are missed when there are none", async () => {
    const findings = await check({ OPENAI_API_KEY: " " });

    expect(findings).toMatchObject([{ state: "warning" }]);
    for (const { missing } of describeProviders({})) expect(findings[0]?.hint).toContain(missing.join(" with "));
  });

  test("are named when only a part of what they need is set", async () => {
    const findings = await check({ GROQ_API_KEY: "secret-value", OLLAMA_MODEL: "o" });

    expect(findings).toMatchObject([
      { state: "ok" },
      { state: "warning", text: expect.stringContaining("GROQ_MODEL") },
    ]);
  });
});

describe("providers that are asked", () => {
  test("answer, or say why not", async () => {
    const url = await startProvider("good-key");
    const env = {
      NVIDIA_API_KEY: "good-key",
      NVIDIA_BASE_URL: url,
      OPENROUTER_API_KEY: "bad-key-value",
      OPENROUTER_BASE_URL: url,
      STABILITY_API_KEY: "unused-key",
    };

    const findings = await check(env, true);

    expect(findings.map(({ state }) => state)).toEqual(["ok", "failed", "ok"]);
    expect(findings[0]?.text).toContain("answered");
    expect(findings[1]?.text).toContain("OPENROUTER_API_KEY");
    expect(JSON.stringify(findings)).not.toContain("bad-key-value");
  });
});
