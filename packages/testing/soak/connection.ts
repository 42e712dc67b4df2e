import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import type { Sent } from "./messages.js";

/** A whole answer. */
export interface Answered {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** An answer that goes on. */
export interface Stream {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  /** Calls back with the data of each event. */
  onData: ((data: string) => void) | undefined;
  /** Resolves when the answer is over. */
  readonly ended: Promise<void>;
  /** Goes away. */
  leave(): void;
}

const ANSWER_MS = 30_000;

/** Connections to one server. */
export class Connections {
  readonly #port: number;
  readonly #agent: Agent;

  constructor(port: number) {
    this.#port = port;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 64 });
  }

  /** Sends a request and reads the whole answer. Rejects where none comes in time. */
  async send(sent: Sent): Promise<Answered> {
    const response = await this.#open(sent, this.#agent);
    response.setEncoding("utf8");
    let text = "";
    for await (const chunk of response) text += String(chunk);
    return { status: response.statusCode ?? 0, headers: response.headers, text };
  }

  /** Sends a request on a connection of its own and reads the answer while it comes. */
  async stream(sent: Sent): Promise<Stream> {
    const response = await this.#open(sent, false);
    const ended = new Promise<void>((resolve) => void response.once("close", resolve));
    const stream: Stream = {
      status: response.statusCode ?? 0,
      headers: response.headers,
      onData: undefined,
      ended,
      leave: () => void response.destroy(),
    };
    let rest = "";
    response.setEncoding("utf8");
    response.on("error", () => undefined); // it left, or the server did
    response.on("data", (text: string) => {
      const events = (rest + text).split("\n\n");
      rest = events.pop() ?? "";
      if (stream.onData === undefined) return;
      for (const event of events) {
        const [, data] = /^data: (.*)$/m.exec(event) ?? [];
        if (data !== undefined) stream.onData(data);
      }
    });
    return stream;
  }

  /** Sends a request, or the beginning of one, and goes away after so many milliseconds without looking at the answer. */
  async abandon(sent: Sent, ms: number, cut = 0): Promise<void> {
    const request = this.#request({ ...sent, headers: { ...sent.headers, ...lengthOf(sent) } }, false);
    const closed = new Promise<void>((resolve) => void request.once("close", resolve));
    request.on("error", () => undefined); // which is what is wanted
    request.on("response", (response) => response.on("error", () => undefined).resume());
    const body = Buffer.from(sent.body ?? "");
    request.write(body.subarray(0, body.length - cut));
    if (cut === 0) request.end();
    setTimeout(() => request.destroy(), ms);
    await closed;
  }

  /** Lets go of idle connections. */
  close(): void {
    this.#agent.destroy();
  }

  #request({ method = "POST", path = "/mcp", headers }: Sent, agent: Agent | false): ClientRequest {
    return httpRequest({ port: this.#port, host: "127.0.0.1", path, method, headers: { ...headers }, agent });
  }

  #open(sent: Sent, agent: Agent | false): Promise<IncomingMessage> {
    const length = sent.body === undefined ? {} : lengthOf(sent);
    const request = this.#request({ ...sent, headers: { ...length, ...sent.headers } }, agent);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => request.destroy(new Error("Expected an answer in time")), ANSWER_MS);
      request.once("response", (response) => {
        clearTimeout(timer);
        resolve(response);
      });
      request.on("error", (error) => {
        clearTimeout(timer);
        reject(error); // without effect once there is an answer
      });
      request.end(sent.body);
    });
  }
}

function lengthOf({ body = "" }: Sent): Record<string, string> {
  return { "content-length": String(Buffer.byteLength(body)) };
}
