import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createHttpHandler } from "@mortise/http";
import { createNodeHttpHandler } from "@mortise/node";
import type { Line, LineOptions, Message, OpenLine } from "../line.js";
import { MODERN } from "../scene.js";
import { readMessages } from "./read-messages.js";

type Fetch = (request: Request) => Promise<Response>;

const BOTH = "application/json, text/event-stream";
/** Where the name is that a header repeats. */
const NAMES: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "echo/say": "word",
};

/** The web handler, called directly. */
export const openFetchLine: OpenLine = async (options) =>
  createLine(createHttpHandler(options.server, options.handler), "http://127.0.0.1:3000/mcp", options);

/** The Node handler behind a real socket. */
export const openSocketLine: OpenLine = async (options) => {
  const listener = createServer(createNodeHttpHandler(options.server, options.handler));
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo; // of a TCP server
  const line = createLine(fetch, `http://127.0.0.1:${port}/mcp`, options);
  const { close } = line;
  return Object.assign(line, {
    async close() {
      await close();
      listener.closeAllConnections();
      await new Promise((resolve) => listener.close(resolve));
    },
  });
};

function createLine(fetch: Fetch, url: string, { revision, hearing }: LineOptions): Line {
  const open = new Map<unknown, AbortController>();
  let session: string | undefined;
  let opened = false;
  let lastEvent: string | undefined;
  let resumptions = 0;

  function createHeaders(message: unknown): Record<string, string> {
    const headers: Record<string, string> = { accept: BOTH, "content-type": "application/json" };
    if (session !== undefined) headers["mcp-session-id"] = session;
    if (opened && revision >= "2025-06-18") headers["mcp-protocol-version"] = revision;
    return revision === MODERN ? { ...headers, ...mirror(message as Message) } : headers; // a test wrote it
  }

  /** Hears an answer to its end, wherever the server sends the rest of it. */
  async function hear(response: Response, id: unknown, signal: AbortSignal): Promise<void> {
    // Why no stream is opened would be taken for the answer to something else.
    if (id === "GET" && !response.ok) return;
    let answered = id === undefined || id === "GET";
    let last: string | undefined;
    await readMessages(response, {
      message(message) {
        answered ||= message.id === id && message.method === undefined;
        hearing.message(message);
      },
      id: (event) => {
        last = event;
        lastEvent = event;
      },
    });
    if (answered || last === undefined || signal.aborted) return;
    resumptions += 1;
    await hear(await fetch(new Request(url, { headers: goOn(last), signal })), id, signal);
  }

  function goOn(event: string | undefined): Record<string, string> {
    return { ...listenHeaders(), ...(event === undefined ? {} : { "last-event-id": event }) };
  }

  function listenHeaders(): Record<string, string> {
    return { accept: "text/event-stream", ...(session === undefined ? {} : { "mcp-session-id": session }) };
  }

  async function exchange(id: unknown, request: RequestInit): Promise<number | undefined> {
    const controller = new AbortController();
    open.set(id, controller);
    try {
      const response = await fetch(new Request(url, { ...request, signal: controller.signal }));
      session ??= response.headers.get("mcp-session-id") ?? undefined;
      opened = true;
      void hear(response, id, controller.signal)
        .catch((error: unknown) => expectLeft(controller, error))
        .finally(() => hearing.over(id));
      return response.status;
    } catch (error) {
      expectLeft(controller, error);
      hearing.over(id);
      return undefined;
    }
  }

  return {
    send: (message, headers) =>
      exchange((message as Message).id, {
        method: "POST",
        headers: { ...createHeaders(message), ...headers },
        body: JSON.stringify(message),
      }),
    listen: async () => (await exchange("GET", { headers: listenHeaders() })) ?? 0,
    resume: async () => (await exchange("GET", { headers: goOn(lastEvent) })) ?? 0,
    get resumptions() {
      return resumptions;
    },
    async end() {
      const headers: Record<string, string> = session === undefined ? {} : { "mcp-session-id": session };
      return (await fetch(new Request(url, { method: "DELETE", headers }))).status;
    },
    leave: (id) => open.get(id)?.abort(),
    async close() {
      for (const controller of open.values()) controller.abort();
    },
  };
}

function mirror({ method = "", params }: Message): Record<string, string> {
  const member = NAMES[method];
  return {
    "mcp-protocol-version": MODERN,
    "mcp-method": method,
    ...(member === undefined ? {} : { "mcp-name": String(params?.[member]) }),
  };
}

function expectLeft({ signal }: AbortController, error: unknown): void {
  if (!signal.aborted) throw error;
}
