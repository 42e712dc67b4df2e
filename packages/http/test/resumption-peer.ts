import type { HandlerOptions, HttpHandler } from "@mortise/http";
import { type Bus, MCPServer } from "@mortise/server";
import { ask, later, type Message, mount, type Sending, send } from "./legacy-peer.js";

export const OPTIONS = { sessions: "memory", resumable: true } as const;
export const NEWEST = { protocolVersion: "2025-11-25" };
export const OLDER = { protocolVersion: "2025-06-18" };

/** One block of an event stream. */
export interface Event {
  readonly id?: string;
  readonly retry?: number;
  readonly data?: string;
}

/** The client's end of an event stream. */
export class Reading {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #text = "";
  last = "";

  constructor({ body }: Response) {
    if (body === null) throw new Error("Expected a body");
    this.#reader = body.getReader();
  }

  /** The next block that is no comment, or `undefined` at the end. */
  async next(): Promise<Event | undefined> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end === -1) {
        const { done, value } = await this.#reader.read();
        if (done) return undefined;
        this.#text += new TextDecoder().decode(value);
        continue;
      }
      const block = this.#text.slice(0, end);
      this.#text = this.#text.slice(end + 2);
      if (block === ":") continue;
      const [, id] = /^id: (.*)$/m.exec(block) ?? [];
      const [, retry] = /^retry: (.*)$/m.exec(block) ?? [];
      const [, data] = /^data: (.*)$/m.exec(block) ?? [];
      this.last = id ?? this.last;
      return {
        ...(id === undefined ? {} : { id }),
        ...(retry === undefined ? {} : { retry: Number(retry) }),
        ...(data === undefined ? {} : { data }),
      };
    }
  }

  /** The next message; events without one are passed over. */
  async message(): Promise<Message | undefined> {
    for (;;) {
      const event = await this.next();
      if (event === undefined) return undefined;
      if (event.data) return JSON.parse(event.data) as Message;
    }
  }

  /** Everything up to the end. */
  async rest(): Promise<Event[]> {
    const events: Event[] = [];
    for (let event = await this.next(); event !== undefined; event = await this.next()) events.push(event);
    return events;
  }

  /** Every message up to the end. */
  async messages(): Promise<Message[]> {
    const messages: Message[] = [];
    for (let message = await this.message(); message !== undefined; message = await this.message())
      messages.push(message);
    return messages;
  }

  leave(): Promise<void> {
    return this.#reader.cancel();
  }
}

/** What a test works with. */
export interface Fixture {
  readonly server: MCPServer;
  readonly handler: HttpHandler;
  /** Lets the tool "hold" end. */
  readonly release: () => void;
  readonly ran: { count: number };
}

/** A server with tools that take their time, behind a handler. */
export function create(legacy: HandlerOptions["legacy"] = OPTIONS, rest: HandlerOptions = {}, bus?: Bus): Fixture {
  const server = new MCPServer({ name: "fixture", version: "1.0.0", bus });
  const held = later();
  const ran = { count: 0 };
  server.tool("quick", {}, () => "done");
  server.tool("hold", {}, async (_, { progress }) => {
    ran.count += 1;
    await progress(1);
    await held.promise;
    await progress(2);
    return "held";
  });
  server.tool("pause", {}, async (_, { closeStream, progress }) => {
    closeStream({ retry: 20 });
    await held.promise;
    await progress(1);
    return "paused";
  });
  return { server, handler: mount(server, legacy, rest), release: held.resolve, ran };
}

/** Asks for what comes behind an event. */
export function resume(handler: HttpHandler, session: string, last: string, sending: Sending = {}): Promise<Response> {
  const headers = { accept: "text/event-stream", "last-event-id": last, ...sending.headers };
  return send(handler, undefined, { ...sending, session, method: "GET", headers });
}

/** A request that runs a tool and wants to hear of its progress. */
export const progressing = (name: string, id = 1): object =>
  ask("tools/call", { name, arguments: {}, _meta: { progressToken: 7 } }, id);
