import { type ClientRequest, createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { createHttpHandler, type HandlerOptions } from "@mortise/http";
import { createNodeHttpHandler } from "@mortise/node";
import type { MCPServer } from "@mortise/server";
import type { Sent } from "./adapters.js";

/** An answer that is read while it comes. */
export interface OpenStream {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** Everything that came so far. */
  readonly text: string;
  /** The messages among it. */
  readonly messages: readonly StreamMessage[];
  /** Whether the answer is complete. */
  readonly ended: boolean;
  /** Goes away without waiting for the end. */
  leave(): void;
}

/** A message of a stream, read loosely. */
export interface StreamMessage {
  readonly id?: unknown;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into messages without describing them
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  readonly result?: any;
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  readonly error?: any;
}

/** A handler whose answers are read while they come. */
export interface StreamMount {
  open(request: Sent): Promise<OpenStream>;
  /** Goes away from every request that has not begun to be answered. */
  abandon(): Promise<void>;
  close(): Promise<void>;
}

/** One of the two mappings of the same implementation. */
export interface StreamAdapter {
  readonly name: string;
  mount(server: MCPServer, options?: HandlerOptions): Promise<StreamMount>;
}

/** Both mappings. */
export const STREAM_ADAPTERS: readonly StreamAdapter[] = [
  { name: "the web handler", mount: mountWeb },
  { name: "the Node handler", mount: mountNode },
];

async function mountWeb(server: MCPServer, options?: HandlerOptions): Promise<StreamMount> {
  const handler = createHttpHandler(server, options);
  const leaving = new AbortController();
  return {
    abandon: async () => leaving.abort(),
    async open({ headers = {}, body = "" }) {
      const { signal } = leaving;
      const asked = new Request("http://127.0.0.1:3000/mcp", { method: "POST", headers, body, signal });
      const response = await handler(asked);
      const reading = new Reading(response.status, new Map(response.headers));
      const reader = response.body?.getReader();
      reading.onLeave = () => void reader?.cancel();
      void readAll(reading, reader);
      return reading;
    },
    close: async () => undefined,
  };
}

async function readAll(reading: Reading, reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<void> {
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) break;
    reading.add(decoder.decode(value, { stream: true }));
  }
  reading.ended = true;
}

async function mountNode(server: MCPServer, options?: HandlerOptions): Promise<StreamMount> {
  const handler = createNodeHttpHandler(server, options);
  const listener = createServer((request, response) => handler(request, response));
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  const waiting = new Set<ClientRequest>();
  return {
    async abandon() {
      for (const request of waiting) request.destroy();
    },
    open: ({ headers = {}, body = "" }) =>
      new Promise((resolve, reject) => {
        const request = httpRequest({ port, host: "127.0.0.1", path: "/mcp", method: "POST", headers, agent: false });
        waiting.add(request);
        request.on("error", reject); // without effect once it is resolved
        request.on("response", (response) => {
          waiting.delete(request);
          const found = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const);
          const reading = new Reading(response.statusCode ?? 0, new Map(found));
          reading.onLeave = () => request.destroy();
          response.setEncoding("utf8");
          response.on("data", (text: string) => reading.add(text));
          response.on("end", () => {
            reading.ended = true;
          });
          response.on("error", () => undefined); // it left
          resolve(reading);
        });
        request.end(body);
      }),
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve());
        listener.closeAllConnections();
      }),
  };
}

class Reading implements OpenStream {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  text = "";
  ended = false;
  onLeave: (() => void) | undefined;

  constructor(status: number, headers: ReadonlyMap<string, string>) {
    this.status = status;
    this.headers = headers;
  }

  get messages(): readonly StreamMessage[] {
    if (this.headers.get("content-type") === "application/json") return this.ended ? [JSON.parse(this.text)] : [];
    const events = this.text.split("\n\n").slice(0, -1);
    return events.filter((event) => event.startsWith("data: ")).map((event) => JSON.parse(event.slice(6)));
  }

  add(text: string): void {
    this.text += text;
  }

  leave(): void {
    this.onLeave?.();
  }
}
