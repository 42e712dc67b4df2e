import type { Body, Exchange, HeaderList } from "../src/exchange.js";

/** What a fake exchange is asked with, and what became of it. */
export interface FakeExchange extends Exchange {
  readonly sent: { status?: number; headers: HeaderList; text: string; began: boolean; ended: boolean };
  /** Runs what was deferred. */
  tick(): void;
  /** Says that the peer has caught up. */
  drain(): void;
  /** Says that the peer has left. */
  leave(): void;
  /** What `write` gives from now on. */
  keepsUp: boolean;
}

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly authority?: string | undefined;
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Body;
  readonly parsedBody?: unknown;
}

/** An exchange without a network. */
export function createFakeExchange(asked: Asked = {}): FakeExchange {
  const tasks: (() => void)[] = [];
  let onDrain: (() => void) | undefined;
  let onGone: (() => void) | undefined;
  const sent: FakeExchange["sent"] = { headers: [], text: "", began: false, ended: false };
  return {
    method: asked.method ?? "POST",
    path: asked.path ?? "/mcp",
    mount: "",
    url: `http://localhost${asked.path ?? "/mcp"}`,
    authority: asked.authority,
    localAddress: asked.localAddress,
    localPort: asked.localPort,
    parsedBody: asked.parsedBody,
    auth: undefined,
    context: undefined,
    backlog: 0,
    keepsUp: true,
    sent,
    header: (name) => asked.headers?.[name],
    readBody: () => Promise.resolve(asked.body ?? { text: "" }),
    reply({ status, headers, text }) {
      Object.assign(sent, { status, headers, text, ended: true });
    },
    begin(headers) {
      Object.assign(sent, { status: 200, headers, began: true });
    },
    write(text) {
      sent.text += text;
      return this.keepsUp;
    },
    end(text) {
      sent.text += text;
      sent.ended = true;
    },
    whenDrained(listener) {
      onDrain = listener;
    },
    whenGone(listener) {
      onGone = listener;
    },
    defer: (task) => void tasks.push(task),
    tick: () => {
      for (const task of tasks.splice(0)) task();
    },
    drain: () => onDrain?.(),
    leave: () => onGone?.(),
  };
}
