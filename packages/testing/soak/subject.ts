import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { HttpOptions } from "@mortise/node";

/** A resource that changes. */
export const WATCHED = "test://watched";
/** Another one, whose address fills the buffers on the way soon. */
export const LONG_WATCHED: string = `test://${"x".repeat(4000)}`;

/** What the server under load can be asked. It answers with what it shows. */
export type Question =
  | { readonly kind: "show" }
  /** Collect garbage first. */
  | { readonly kind: "collect" }
  /** Change the resources and a list so many times first. */
  | { readonly kind: "change"; readonly times: number };

/** How the server under load is doing. */
export interface Shown {
  readonly heapUsed: number;
  /** Everything in memory, buffers included. */
  readonly held: number;
  readonly connections: number;
  /** Calls being worked on. */
  readonly calls: number;
  /** Floods that have run to their end. */
  readonly floods: number;
  /** Warnings, stray failures, and errors that nobody meant. */
  readonly complaints: readonly string[];
}

/** The server under load, in a process of its own. */
export interface Subject {
  readonly port: number;
  ask(question: Question): Promise<Shown>;
  /** Waits until nothing is open any more, and collects garbage. */
  settle(): Promise<Shown>;
  /** Ends it. Gives what it complained of, and whatever it printed. */
  stop(): Promise<readonly string[]>;
}

const SETTLE_MS = 10_000;

/** Starts a server. */
export async function startSubject(options: Partial<HttpOptions>): Promise<Subject> {
  const file = fileURLToPath(new URL("./subject-server.js", import.meta.url));
  const stdio = ["ignore", "pipe", "pipe", "ipc"] as const;
  const child = fork(file, [JSON.stringify(options)], { execArgv: ["--expose-gc"], stdio: [...stdio] });
  const printed: string[] = [];
  for (const output of [child.stdout, child.stderr]) output?.on("data", (chunk) => printed.push(String(chunk)));
  const [{ port }] = (await once(child, "message")) as [{ port: number }]; // its first word
  let last: Promise<unknown> = Promise.resolve();

  async function askNext(question: Question): Promise<Shown> {
    const answered = once(child, "message");
    child.send(question);
    const [shown] = (await answered) as [Shown];
    return shown;
  }
  /** One question at a time, so that each gets its own answer. */
  function ask(question: Question): Promise<Shown> {
    const asked = last.then(() => askNext(question));
    last = asked;
    return asked;
  }

  return {
    port,
    ask,
    async settle() {
      for (const deadline = Date.now() + SETTLE_MS; Date.now() < deadline; await sleep(20)) {
        const { calls, connections } = await ask({ kind: "show" });
        if (calls === 0 && connections === 0) break;
      }
      return ask({ kind: "collect" });
    },
    async stop() {
      const { complaints } = await ask({ kind: "show" });
      const left = once(child, "exit");
      child.kill("SIGKILL");
      await left;
      return [...complaints, ...printed];
    },
  };
}

/** Resolves after some milliseconds. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}
