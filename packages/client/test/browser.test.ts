import { afterEach, describe, expect, test, vi } from "vitest";
import { platform } from "../src/platform/web.js";
import { startFake } from "./fake-http.js";
import { initializeResult, serveLegacy } from "./legacy-server.js";
import { serveModern } from "./modern-server.js";
import { collectProblems, failureOf, openClient } from "./open-client.js";
import { createSseServer } from "./sse-server.js";

const SIMPLE = new Set(["accept", "content-type", "authorization", "mcp-session-id"]);

/** A fetch that enforces a server's list of allowed headers as browsers do: what is not on it fails, and nobody learns why. */
function createCorsFetch(allowed: ReadonlySet<string>): typeof globalThis.fetch {
  return (input, init) => {
    const names = [...new Headers(init?.headers).keys()];
    if (names.some((name) => !allowed.has(name))) return Promise.reject(new TypeError("Failed to fetch"));
    return fetch(input, init);
  };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("in a browser", () => {
  test("a blocked probe is followed by the handshake with minimal headers, which are remembered", async () => {
    vi.stubGlobal("document", {});
    const fake = await startFake(serveLegacy({ sessions: ["s1", "s2"], version: "2024-11-05" }));
    const client = openClient({
      url: fake.url,
      fetch: createCorsFetch(SIMPLE),
      headers: { authorization: "Bearer x" },
    });

    const server = await client.connect();
    await client.close();
    await client.connect();

    expect(server).toMatchObject({ era: "legacy", protocolVersion: "2024-11-05" });
    expect(client.verdict).toMatchObject({ era: "legacy", minimalHeaders: true });
    expect(fake.methods()).not.toContain("server/discover");
    for (const { headers } of fake.log) expect(headers).not.toHaveProperty("mcp-protocol-version");
  });

  test("a blocked probe does not keep the version from being sent where that passes", async () => {
    vi.stubGlobal("document", {});
    const fake = await startFake(serveLegacy({ sessions: ["s1"] }));
    const client = openClient({ url: fake.url, fetch: createCorsFetch(new Set([...SIMPLE, "mcp-protocol-version"])) });

    await client.callTool("echo");

    expect(client.verdict).toMatchObject({ era: "legacy", minimalHeaders: false });
    expect(fake.log.at(-1)?.headers).toMatchObject({ "mcp-protocol-version": "2025-11-25" });
  });

  test.each([{ era: "legacy" }, {}] as const)(
    "a blocked version is left out from then on, with %j",
    async (options) => {
      vi.stubGlobal("document", {});
      const fake = await startFake(serveLegacy({ sessions: ["s1"] }));
      const { problems, onError } = collectProblems();
      const client = openClient({ url: fake.url, fetch: createCorsFetch(SIMPLE), onError, ...options });

      await client.callTool("echo");

      expect(client.verdict).toMatchObject({ era: "legacy", protocolVersion: "2025-11-25", minimalHeaders: true });
      expect(fake.methods()).toEqual(["initialize", "notifications/initialized", "tools/list", "tools/call"]);
      expect(problems).toEqual([]);
    },
  );

  test("a server that can be reached by its stream alone is", async () => {
    vi.stubGlobal("document", {});
    const sse = createSseServer();
    const fake = await startFake((reply) => sse.serve(reply));
    const blockPosts: typeof fetch = (input, init) =>
      init?.method === "POST" && String(input).endsWith("/mcp")
        ? Promise.reject(new TypeError("Failed to fetch"))
        : fetch(input, init);
    const client = openClient({ url: fake.url, fetch: blockPosts });

    const { text } = await client.callTool("echo", { text: "hi" });

    expect(text).toBe("hi");
    expect(client.verdict).toMatchObject({ era: "legacy", transport: "sse" });
  });

  test("a server that lets nothing pass is said to want CORS headers", async () => {
    vi.stubGlobal("document", {});
    const cause = new TypeError("Failed to fetch");
    const client = openClient({ url: "http://127.0.0.1:9/mcp", fetch: () => Promise.reject(cause) });

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "connection_failed", cause: { cause } });
    expect(error.message).toContain("Access-Control-Allow-Origin");
    expect(client.verdict).toBeUndefined();
  });

  test("a failure that tells its cause is no matter of CORS", async () => {
    vi.stubGlobal("document", {});
    let tries = 0;
    const client = openClient({
      url: "http://127.0.0.1:9/mcp",
      fetch: () => {
        tries += 1;
        return Promise.reject(new TypeError("fetch failed", { cause: new Error("refused") }));
      },
    });

    const error = await failureOf(client.connect());

    expect(error.message).not.toContain("Access-Control");
    expect(tries).toBe(1);
  });

  test("a session that the page cannot read is named as what the server may miss", async () => {
    vi.stubGlobal("document", {});
    const fake = await startFake((reply) => {
      const { method } = reply.request.message;
      if (method === "initialize") reply.result(initializeResult());
      else reply.status(400, "Bad Request: no session");
    });
    const client = openClient({ url: fake.url });

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "http_status" });
    expect(error.message).toContain("no session");
    expect(error.message).toContain("Access-Control-Expose-Headers");
  });

  test("minimal headers can be asked for from the start", async () => {
    const fake = await startFake(serveLegacy({ sessions: ["s1"] }));
    const client = openClient({ url: fake.url, minimalHeaders: true });

    await client.callTool("echo");

    expect(fake.methods()[0]).toBe("initialize");
    expect(fake.log.at(-1)?.headers).toMatchObject({ "mcp-session-id": "s1" });
    for (const { headers } of fake.log) expect(headers).not.toHaveProperty("mcp-protocol-version");
  });

  test("a call that is blocked for its mirrored arguments says what to allow", async () => {
    vi.stubGlobal("document", {});
    const tool = {
      name: "q",
      inputSchema: { type: "object", properties: { r: { type: "string", "x-mcp-header": "Region" } } },
    };
    const fake = await startFake(serveModern({}, [tool]));
    const allowed = new Set([...SIMPLE, "mcp-protocol-version", "mcp-method", "mcp-name"]);
    const client = openClient({ url: fake.url, fetch: createCorsFetch(allowed) });
    await client.connect();

    const error = await failureOf(client.callTool("q", { r: "eu" }));

    expect(error.message).toContain("Mcp-Param-Region");
    expect(error.message).toContain("Access-Control-Allow-Headers");
  });

  test("a redirect, which browsers hide, is refused", async () => {
    const hidden = (): Promise<Response> => Promise.resolve(Response.error());
    const client = openClient({ url: "http://127.0.0.1:9/mcp", fetch: hidden });

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "redirect_refused" });
  });
});

describe("outside a browser", () => {
  test("a TypeError of fetch is a network failure like any other", async () => {
    const cause = new TypeError("fetch failed", {
      cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }),
    });
    let tries = 0;
    const client = openClient({
      url: "http://127.0.0.1:9/mcp",
      fetch: () => {
        tries += 1;
        return Promise.reject(cause);
      },
    });

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "connection_failed", cause });
    expect(error.message).toContain("ECONNREFUSED");
    expect(tries).toBe(1);
  });
});

describe("the platform without Node", () => {
  test("starts no processes", async () => {
    const error = await failureOf(platform.createProcess({ command: "x" }));

    expect(error).toMatchObject({ code: "needs_node" });
  });

  test("sends with the global fetch", async () => {
    const fake = await startFake((reply) => reply.json({ ok: true }));
    const layer = platform.createHttpLayer();
    const chunks: Uint8Array[] = [];

    await new Promise<void>((resolve, reject) => {
      layer.send(
        { method: "POST", url: new URL(fake.url), headers: ["X-A", "1"], body: '{"jsonrpc":"2.0"}' },
        { onHead: () => undefined, onData: (chunk) => void chunks.push(chunk), onEnd: resolve, onFailure: reject },
      );
    });

    expect(platform.decode(chunks)).toBe('{"ok":true}');
    expect(fake.log[0]?.headers["x-a"]).toBe("1");
  });

  test("decodes characters cut between chunks, and refuses what is not UTF-8", () => {
    const bytes = new TextEncoder().encode("ü🙂");

    expect(platform.decode([bytes.subarray(0, 1), bytes.subarray(1, 4), bytes.subarray(4)])).toBe("ü🙂");
    expect(platform.decode([Uint8Array.of(0xff)])).toBeUndefined();
  });
});
