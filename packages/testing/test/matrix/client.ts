import type { JsonObject } from "@mortise/server";
import type { Hearing, Line, Message } from "./line.js";
import { isModern, MODERN, type Scene } from "./scene.js";

/** What became of a request. Neither a result nor an error: nothing will come any more. */
export interface Reply {
  readonly status: number | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into results without describing them
  readonly result?: any;
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  readonly error?: any;
}

/** What a server asked. */
export interface Asked {
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  readonly params: any;
}

/** What one request has besides its params. */
export interface AskOptions {
  readonly meta?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request on its way. */
export interface Started {
  readonly id: number;
  readonly reply: Promise<Reply>;
}

const CLIENT_INFO = { name: "probe", version: "1" };

/** A client that writes and reads every message itself. */
export class Client implements Hearing {
  readonly scene: Scene;
  /** Everything that came without being an answer or a question, in order. */
  readonly notices: Message[] = [];
  /** Everything that was asked, in order. */
  readonly asked: Asked[] = [];
  /** How questions are answered; with nothing, not at all. */
  respond: (asked: Asked) => JsonObject | undefined = () => ({ action: "cancel" });
  /** Receives answers that no request waits for. */
  onStray: (message: Message) => void = () => undefined;

  readonly #declares: JsonObject;
  readonly #waiting = new Map<unknown, (message: Message) => void>();
  readonly #watchers = new Set<() => void>();
  #line: Line | undefined;
  #ids = 0;

  constructor(scene: Scene, declares: JsonObject) {
    this.scene = scene;
    this.#declares = declares;
  }

  get line(): Line {
    if (this.#line === undefined) throw new Error("Expected an open line");
    return this.#line;
  }

  /** Says who it is, and learns who the server is. */
  async open(line: Line): Promise<Reply> {
    this.#line = line;
    if (isModern(this.scene)) return this.ask("server/discover");
    const { revision } = this.scene;
    const params = { protocolVersion: revision, capabilities: this.#declares, clientInfo: CLIENT_INFO };
    const reply = await this.ask("initialize", params);
    await this.tell("notifications/initialized");
    return reply;
  }

  /** Sends a request, answers what is asked on the way, and resolves with what became of it. */
  async ask(method: string, params: JsonObject = {}, options: AskOptions = {}): Promise<Reply> {
    const reply = await this.start(method, params, options).reply;
    if (reply.result?.resultType !== "input_required") return reply;
    const { inputRequests = {}, requestState } = reply.result;
    const inputResponses: JsonObject = {};
    for (const [key, asked] of Object.entries(inputRequests as Record<string, Asked>))
      inputResponses[key] = this.#answer(asked);
    return this.ask(method, { ...params, inputResponses, requestState }, options);
  }

  /** Calls a tool. */
  call(name: string, args?: JsonObject, options?: AskOptions): Promise<Reply> {
    return this.ask("tools/call", { name, ...(args === undefined ? {} : { arguments: args }) }, options);
  }

  /** Sends a request, and answers nothing that is asked in an answer. */
  start(method: string, params: JsonObject = {}, { meta = {}, headers }: AskOptions = {}): Started {
    const id = ++this.#ids;
    const answered = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    const message = { jsonrpc: "2.0", id, method, params: this.#complete(params, meta) };
    const reply = Promise.all([this.line.send(message, headers), answered]);
    return { id, reply: reply.then(([status, { result, error }]) => ({ status, result, error })) };
  }

  /** Sends what nothing answers. */
  tell(method: string, params?: JsonObject): Promise<number | undefined> {
    return this.line.send({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) });
  }

  /** Cancels a request the way its revision and transport do. */
  async cancel(id: number): Promise<void> {
    const { line } = this;
    const leaves = isModern(this.scene) || !this.scene.carries.http;
    if (leaves && line.leave !== undefined) line.leave(id);
    else await this.tell("notifications/cancelled", { requestId: id });
  }

  /** Resolves with the next notice of a method, which may be there already. */
  async next(method: string, seen = 0): Promise<Message> {
    for (;;) {
      const found = this.notices.filter((notice) => notice.method === method)[seen];
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#watchers.add(resolve));
    }
  }

  /** Resolves once something was asked. */
  async nextAsked(): Promise<void> {
    while (this.asked.length === 0) await new Promise<void>((resolve) => this.#watchers.add(resolve));
  }

  message(message: Message): void {
    const { id, method, params } = message;
    if (method === undefined) this.#settle(id, message);
    else if (id === undefined) this.#notice(message);
    else {
      const result = this.#answer({ method, params });
      if (result !== undefined) void this.line.send({ jsonrpc: "2.0", id, result });
    }
  }

  over(id: unknown): void {
    if (id !== undefined) this.#settle(id, {}); // nothing was due for a notification
  }

  #wake(): void {
    for (const wake of this.#watchers) wake();
    this.#watchers.clear();
  }

  #notice(message: Message): void {
    this.notices.push(message);
    this.#wake();
  }

  /** An error that could not be told which request it is about is about the only one there is. */
  #settle(id: unknown, message: Message): void {
    const [only] = this.#waiting.keys();
    const about = id === undefined && this.#waiting.size === 1 ? only : id;
    const resolve = this.#waiting.get(about);
    this.#waiting.delete(about);
    if (resolve !== undefined) resolve(message);
    else if ("result" in message || "error" in message) this.onStray(message);
  }

  #answer({ method, params = {} }: Asked): JsonObject | undefined {
    this.asked.push({ method, params });
    this.#wake();
    return this.respond({ method, params });
  }

  #complete(params: JsonObject, meta: JsonObject): JsonObject {
    if (!isModern(this.scene)) return Object.keys(meta).length === 0 ? params : { ...params, _meta: meta };
    const envelope = {
      "io.modelcontextprotocol/protocolVersion": MODERN,
      "io.modelcontextprotocol/clientInfo": CLIENT_INFO,
      "io.modelcontextprotocol/clientCapabilities": this.#declares,
    };
    return { ...params, _meta: { ...envelope, ...meta } };
  }
}
