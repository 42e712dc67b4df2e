import { demand } from "./checks.js";
import { Connections, type Stream } from "./connection.js";
import { calling, legacy, modern, opening, PLAIN } from "./messages.js";
import { sleep, WATCHED } from "./subject.js";

interface Session {
  readonly id: string;
  readonly stream: Stream | undefined;
}

const AT_ONCE = 25;
const TICK_MS = 50;
const LISTEN = modern("subscriptions/listen", {
  notifications: { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: [WATCHED] },
});
const VERSIONS = ["2025-11-25", "2025-06-18"] as const;

/** Many clients at once: half of them listen, the others have legacy sessions. */
export class Crowd {
  readonly #connections: Connections;
  readonly #size: number;
  readonly #listeners: Stream[] = [];
  readonly #sessions: Session[] = [];
  #opened = 0;
  #notices = 0;

  constructor(port: number, size: number) {
    this.#connections = new Connections(port);
    this.#size = size;
  }

  /** How many streams and sessions were opened so far. */
  get opened(): number {
    return this.#opened;
  }

  /** How many notices they heard. */
  get notices(): number {
    return this.#notices;
  }

  /** Opens what is missing. */
  async fill(): Promise<void> {
    const listen = async (): Promise<void> => {
      while (this.#listeners.length < this.#size) await this.#together(this.#listeners, () => this.#listen());
    };
    const openSessions = async (): Promise<void> => {
      while (this.#sessions.length < this.#size) await this.#together(this.#sessions, () => this.#openSession());
    };
    await Promise.all([listen(), openSessions()]);
  }

  /** Has clients go, come and work for so many milliseconds. */
  async churn(ms: number): Promise<void> {
    const share = Math.ceil(this.#size / 50);
    for (const deadline = Date.now() + ms; Date.now() < deadline; ) {
      const next = Date.now() + TICK_MS;
      const working = this.#sessions.slice(-share).map((session, index) => this.#work(session, index));
      await Promise.all([this.#replace(share), ...working]);
      await sleep(Math.max(next - Date.now(), 0));
    }
  }

  /** Has those go that have been there for longest, and others come. */
  async #replace(share: number): Promise<void> {
    for (const listener of this.#listeners.splice(0, share)) listener.leave();
    await Promise.all(this.#sessions.splice(0, share).map((session) => this.#endSession(session)));
    await this.fill();
  }

  /** Ends everything. */
  async leave(): Promise<void> {
    for (const listener of this.#listeners.splice(0)) listener.leave();
    while (this.#sessions.length > 0)
      await Promise.all(this.#sessions.splice(0, AT_ONCE).map((session) => this.#endSession(session)));
    this.#connections.close();
  }

  async #together<Member>(members: Member[], open: () => Promise<Member>): Promise<void> {
    const missing = Math.min(AT_ONCE, this.#size - members.length);
    members.push(...(await Promise.all(Array.from({ length: missing }, open))));
  }

  async #listen(): Promise<Stream> {
    const stream = await this.#connections.stream(LISTEN);
    demand(stream.status === 200, `Expected a stream, received ${stream.status}`);
    this.#opened += 1;
    return this.#count(stream);
  }

  async #openSession(): Promise<Session> {
    this.#opened += 1;
    const version = VERSIONS[this.#opened % VERSIONS.length];
    const { status, headers } = await this.#connections.send(opening(version));
    const id = String(headers["mcp-session-id"]);
    demand(status === 200 && id !== "undefined", `Expected a session, received ${status}`);
    await this.#connections.send(legacy({ method: "notifications/initialized" }, id));
    if (this.#opened % 2 === 0) return { id, stream: undefined };
    const head = { accept: "text/event-stream", "mcp-session-id": id };
    return { id, stream: this.#count(await this.#connections.stream({ method: "GET", headers: head })) };
  }

  #count(stream: Stream): Stream {
    stream.onData = () => {
      this.#notices += 1;
    };
    return stream;
  }

  async #endSession({ id, stream }: Session): Promise<void> {
    const { status } = await this.#connections.send({ method: "DELETE", headers: { "mcp-session-id": id } });
    demand(status === 204, `Expected the end of a session, received ${status}`);
    await stream?.ended;
  }

  /** Each session does something else. */
  async #work({ id }: Session, index: number): Promise<void> {
    const post = (message: object): Promise<unknown> => this.#connections.send(legacy(message, id));
    switch (index % 5) {
      case 0:
        return void (await post(calling("echo", { text: id })));
      case 1:
        return this.#answerQuestion(id);
      case 2:
        return void (await post({ id: 1, method: "resources/subscribe", params: { uri: WATCHED } }));
      case 3:
        return void (await post({ id: 1, method: "logging/setLevel", params: { level: "debug" } }));
      default:
        return this.#connections.abandon(legacy(calling("later"), id), 1);
    }
  }

  /** Answers a question, or leaves its call for good. */
  async #answerQuestion(id: string): Promise<void> {
    const headers = { ...PLAIN, "mcp-session-id": id };
    const stream = await this.#connections.stream({ ...legacy(calling("greet")), headers });
    stream.onData = (data) => {
      if (data === "") return; // tells its id alone
      const { id: question, method } = JSON.parse(data);
      if (method === undefined) return;
      const answer = { id: question, result: { action: "accept", content: { name: "Ada" } } };
      void this.#connections.send(legacy(answer, id));
    };
    await stream.ended;
  }
}
