import { createHttpHandler, type HandlerOptions, type HttpHandler } from "@mortise/http";
import { MCPServer } from "@mortise/server";
import { describe, expect, test, vi } from "vitest";
import { createPolicy } from "../src/policy.js";
import { ask, call, INITIALIZE, later, type Message } from "./legacy-peer.js";

const SSE = { path: "/sse", messagePath: "/messages" };

interface Fixture {
  readonly server: MCPServer;
  readonly handler: HttpHandler;
}

function mount(options: HandlerOptions = {}): Fixture {
  const server = new MCPServer({ name: "fixture", version: "1.0.0" });
  server.tool("echo", {}, () => "hi");
  server.tool("who", {}, (_, { principal, sessionId }) => `${principal} ${sessionId}`);
  return { server, handler: createHttpHandler(server, { legacy: { sse: SSE }, ...options }) };
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

function get({ handler }: Fixture, path = "/sse", { method = "GET", headers = {}, signal }: Asked = {}) {
  const init = { method, headers: { accept: "text/event-stream", ...headers } };
  return handler(new Request(`http://localhost${path}`, signal === undefined ? init : { ...init, signal }));
}

function post({ handler }: Fixture, path: string, message: unknown, headers: Readonly<Record<string, string>> = {}) {
  const body = typeof message === "string" ? message : JSON.stringify(message);
  const init = { method: "POST", headers: { "content-type": "application/json", ...headers }, body };
  return handler(new Request(`http://localhost${path}`, init));
}

/** The client's end of a stream. */
class Stream {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #text = "";

  constructor(response: Response) {
    if (response.body === null) throw new Error("Expected a body");
    this.#reader = response.body.getReader();
  }

  /** The next event as it came, comments included. `undefined` at the end. */
  async event(): Promise<string | undefined> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end !== -1) {
        const event = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        return event;
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#text += new TextDecoder().decode(value);
    }
  }

  /** Where messages are to be sent. */
  async endpoint(): Promise<string> {
    return /^event: endpoint\ndata: (.+)$/.exec((await this.event()) ?? "")?.[1] ?? "";
  }

  async message(): Promise<Message> {
    return JSON.parse(/^event: message\ndata: (.+)$/.exec((await this.event()) ?? "")?.[1] ?? "{}") as Message;
  }

  leave(): Promise<void> {
    return this.#reader.cancel();
  }
}

async function connect(fixture: Fixture, asked: Asked = {}): Promise<{ stream: Stream; endpoint: string }> {
  const stream = new Stream(await get(fixture, "/sse", asked));
  return { stream, endpoint: await stream.endpoint() };
}

describe("the HTTP+SSE transport", () => {
  test("tells first where messages go, with an id that cannot be guessed", async () => {
    const response = await get(mount());
    const stream = new Stream(response);
    const endpoint = await stream.endpoint();
    await stream.leave();

    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    expect(endpoint).toMatch(/^\/messages\?sessionId=[\da-f]{32}$/);
  });

  test("takes messages with 202 and answers on the stream", async () => {
    const fixture = mount();
    const { stream, endpoint } = await connect(fixture);

    const accepted = await post(fixture, endpoint, ask("initialize", { ...INITIALIZE, protocolVersion: "2024-11-05" }));
    const initialized = await stream.message();
    await post(fixture, endpoint, { jsonrpc: "2.0", method: "notifications/initialized" });
    await post(fixture, endpoint, call("echo", {}, 2));
    const answered = await stream.message();
    await stream.leave();

    expect([accepted.status, await accepted.text()]).toEqual([202, ""]);
    expect(initialized).toMatchObject({ id: 1, result: { protocolVersion: "2024-11-05" } });
    expect(answered).toMatchObject({ id: 2, result: { content: [{ text: "hi" }] } });
  });

  test("announces changes on the stream", async () => {
    const fixture = mount();
    const { stream, endpoint } = await connect(fixture);
    await post(fixture, endpoint, ask("initialize", INITIALIZE));
    const initialized = await stream.message();

    fixture.server.tool("another", {}, () => "");

    expect(initialized.result.capabilities.tools).toEqual({ listChanged: true });
    expect(await stream.message()).toMatchObject({ method: "notifications/tools/list_changed" });
    await stream.leave();
  });

  test("agrees on no modern revision", async () => {
    const fixture = mount();
    const { stream, endpoint } = await connect(fixture);
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "probe", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };

    const refused = await post(fixture, endpoint, ask("tools/list", { _meta }));
    await post(fixture, endpoint, ask("initialize", { ...INITIALIZE, protocolVersion: "2026-07-28" }, 2));
    const agreed = await stream.message();
    await stream.leave();

    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ id: 1, error: { code: -32600 } });
    expect(agreed).toMatchObject({ id: 2, result: { protocolVersion: "2025-11-25" } });
  });

  test.each([
    { title: "without an id", path: () => "/messages", status: 400 },
    { title: "of no stream", path: () => `/messages?sessionId=${"0".repeat(32)}`, status: 404 },
    { title: "with a body that is no JSON", path: (endpoint: string) => endpoint, message: "{", status: 400 },
    { title: "with a body that is no message", path: (endpoint: string) => endpoint, message: "{}", status: 400 },
    { title: "that is too long", path: (endpoint: string) => endpoint, message: " ".repeat(2_000), status: 413 },
  ])("refuses a message $title with $status", async ({ path, status, message = ask("ping") }) => {
    const fixture = mount({ legacy: { sse: SSE }, maxMessageBytes: 1_000 });
    const { stream, endpoint } = await connect(fixture);

    const response = await post(fixture, path(endpoint), message);

    await stream.leave();
    expect(response.status).toBe(status);
  });

  test("does not know a stream to anybody but its owner", async () => {
    const verify = ({ header }: { header(name: string): string | undefined }) =>
      Promise.resolve({ principal: header("x-user") ?? "", auth: 1 });
    const fixture = mount({ legacy: { sse: SSE }, auth: { verify } });
    const { stream, endpoint } = await connect(fixture, { headers: { "x-user": "ann" } });

    const foreign = await post(fixture, endpoint, ask("initialize", INITIALIZE), { "x-user": "bob" });
    const own = await post(fixture, endpoint, ask("initialize", INITIALIZE), { "x-user": "ann" });
    await stream.message();
    await post(fixture, endpoint, call("who", {}, 2), { "x-user": "ann" });
    const { result } = await stream.message();
    await stream.leave();

    expect([foreign.status, own.status]).toEqual([404, 202]);
    expect(result.content[0].text).toBe(`ann ${endpoint.slice(-32)}`);
  });

  test("keeps callers with equal ids apart", async () => {
    const fixture = mount();
    const clients = await Promise.all([connect(fixture), connect(fixture), connect(fixture)]);
    for (const { stream, endpoint } of clients) {
      await post(fixture, endpoint, ask("initialize", INITIALIZE));
      await stream.message();
    }

    await Promise.all(clients.map(({ endpoint }) => post(fixture, endpoint, call("who"))));
    const answers = await Promise.all(clients.map(({ stream }) => stream.message()));
    await Promise.all(clients.map(({ stream }) => stream.leave()));

    expect(answers.map(({ result }) => result.content[0].text)).toEqual(
      clients.map(({ endpoint }) => `undefined ${endpoint.slice(-32)}`),
    );
  });

  test("stands behind the same checks as the endpoint", async () => {
    const fixture = mount({ legacy: { sse: SSE }, allowedHosts: ["example.com"] });
    const origin = mount();
    const verify = () => Promise.resolve({ refused: { status: 401 as const, message: "no", headers: [] } });
    const refusing = mount({ legacy: { sse: SSE }, auth: { verify } });

    const responses = await Promise.all([
      get(fixture),
      get(origin, "/sse", { headers: { origin: "https://evil.example" } }),
      post(origin, "/messages", ask("ping"), { origin: "https://evil.example" }),
      get(refusing),
      post(refusing, "/messages", ask("ping")),
      post(origin, "/messages", ask("ping"), { "content-type": "text/plain" }),
      get(origin, "/sse", { headers: { accept: "application/json" } }),
      get(origin, "/else"),
    ]);

    expect(responses.map(({ status }) => status)).toEqual([403, 403, 403, 401, 401, 415, 406, 404]);
  });

  test("lets pages of passing origins read its answers", async () => {
    const fixture = mount();
    const origin = "http://localhost:5173";
    const { headers, body } = await get(fixture, "/sse", { headers: { origin } });
    await body?.cancel();

    const preflight = await get(fixture, "/messages", { method: "OPTIONS", headers: { origin } });

    expect([headers.get("access-control-allow-origin"), preflight.status]).toEqual([origin, 204]);
  });

  test.each([
    { method: "POST", path: "/sse", allow: "GET, OPTIONS" },
    { method: "DELETE", path: "/sse", allow: "GET, OPTIONS" },
    { method: "GET", path: "/messages", allow: "POST, OPTIONS" },
  ])("answers $method $path with 405", async ({ method, path, allow }) => {
    const response = await get(mount(), path, { method });

    expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
  });

  test.each([
    { path: "/sse", allow: "GET" },
    { path: "/messages", allow: "POST" },
  ])("takes no preflight for $path where the program answers them itself", async ({ path, allow }) => {
    const response = await get(mount({ cors: false }), path, { method: "OPTIONS" });

    expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
  });

  test("shares the path of the endpoint, where GET is the only thing it takes", async () => {
    const fixture = mount({ legacy: { sse: { path: "/mcp", messagePath: "/messages" } } });
    const stream = new Stream(await get(fixture, "/mcp"));
    const endpoint = await stream.endpoint();
    await stream.leave();
    const accept = "application/json, text/event-stream";

    const modern = await post(fixture, "/mcp", ask("initialize", INITIALIZE), { accept });
    const session = await get(fixture, "/mcp", { headers: { "mcp-session-id": "0" } });

    expect(endpoint).toMatch(/^\/messages/);
    expect([modern.status, session.status]).toEqual([200, 405]);
  });

  test("is served where the endpoint takes every path", async () => {
    const fixture = mount({ path: "*", legacy: { sse: SSE } });
    const { stream, endpoint } = await connect(fixture);
    const response = await post(fixture, endpoint, ask("ping"));

    expect(response.status).toBe(202);
    expect(await stream.message()).toMatchObject({ id: 1, result: {} });
    await stream.leave();
  });

  test("tells a relative address as it was given", async () => {
    const fixture = mount({ legacy: { sse: { path: "/v1/sse", messagePath: "messages" } } });
    const stream = new Stream(await get(fixture, "/v1/sse"));
    const endpoint = await stream.endpoint();

    const response = await post(fixture, new URL(endpoint, "http://localhost/v1/sse").pathname, ask("ping"));

    await stream.leave();
    expect(endpoint).toMatch(/^messages\?sessionId=/);
    expect(response.status).toBe(400); // the path is known; the id was left out
  });

  test("knows its paths", () => {
    const { handler } = mount();

    expect(["/sse", "/messages", "/mcp", "/sse/", "/"].map(handler.matches)).toEqual([true, true, true, false, false]);
  });
});

describe("a stream of the HTTP+SSE transport", () => {
  test("ends with the server", async () => {
    const fixture = mount();
    const { stream, endpoint } = await connect(fixture);

    await fixture.server.close();

    expect(await stream.event()).toBeUndefined();
    const late = [await get(fixture), await post(fixture, endpoint, ask("ping"))];
    expect(late.map(({ status }) => status)).toEqual([503, 404]);
  });

  test.each([
    { option: undefined, aborted: false },
    { option: "abort", aborted: true },
  ] as const)("that its client leaves lets calls go on or aborts them: $option", async ({ option, aborted }) => {
    const fixture = mount({ legacy: { sse: SSE }, onDisconnect: { legacy: option } });
    const running = later<AbortSignal>();
    const done = later();
    fixture.server.tool("hold", {}, async (_, { signal }) => {
      running.resolve(signal);
      await done.promise;
      return "";
    });
    const { stream, endpoint } = await connect(fixture);
    await post(fixture, endpoint, ask("initialize", INITIALIZE));
    await post(fixture, endpoint, call("hold", {}, 2));
    const signal = await running.promise;

    await stream.leave();

    const late = await post(fixture, endpoint, ask("ping"));
    expect([signal.aborted, late.status]).toEqual([aborted, 404]);
    done.resolve();
  });

  test("sends comments while nothing else comes, and none once it is left", async () => {
    vi.useFakeTimers();
    const fixture = mount({ legacy: { sse: SSE }, keepAlive: 1_000 });
    const stream = new Stream(await get(fixture));
    await stream.endpoint();
    await vi.advanceTimersByTimeAsync(1_000);
    const comment = await stream.event();

    await stream.leave();

    expect([comment, vi.getTimerCount()]).toEqual([":", 0]);
    vi.useRealTimers();
  });

  test("is one of so many", async () => {
    const fixture = mount({ legacy: { sse: SSE, maxSessions: 2 } });
    const first = await connect(fixture);
    const second = await connect(fixture);

    const third = await get(fixture);
    await first.stream.leave();
    const fourth = await connect(fixture);

    expect([third.status, third.headers.get("retry-after")]).toEqual([503, "10"]);
    expect(fourth.endpoint).toMatch(/^\/messages/);
    await Promise.all([second.stream.leave(), fourth.stream.leave()]);
  });

  test("takes no more messages while its client does not read the answers", async () => {
    const fixture = mount();
    fixture.server.tool("much", {}, () => "x".repeat(800_000));
    const { stream, endpoint } = await connect(fixture);
    await post(fixture, endpoint, ask("initialize", INITIALIZE));
    await stream.message();
    const statuses: number[] = [];
    for (let id = 2; id < 8; id += 1) {
      statuses.push((await post(fixture, endpoint, call("much", {}, id))).status);
      await new Promise((resolve) => setImmediate(resolve));
    }

    expect(statuses[0]).toBe(202);
    expect(statuses.at(-1)).toBe(503);
    await stream.leave();
  });
});

test.each([
  { sse: true },
  { sse: {} },
  { sse: { path: "/sse" } },
  { sse: { path: "sse", messagePath: "/messages" } },
  { sse: { path: "/sse", messagePath: "/messages?a" } },
  { sse: { path: "/sse", messagePath: "//evil.example/messages" } },
  { sse: { path: "/sse", messagePath: "https://evil.example/messages" } },
  { sse: { path: "/sse", messagePath: "sse" } },
  { sse: { path: "/sse", messagePath: "/mcp" } },
  { sse: { path: "/sse", messagePath: "/messages", more: 1 } },
])("paths that cannot be served are refused: $sse", ({ sse }) => {
  expect(() => createPolicy({ legacy: { sse } as never })).toThrowError(
    expect.objectContaining({ code: "invalid_options" }),
  );
});
