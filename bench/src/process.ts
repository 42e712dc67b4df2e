import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";

/** A program of this workspace in a process of its own, which answers questions over its message channel. */
export interface Program {
  readonly child: ChildProcess;
  /** Asks something and waits for the answer. */
  ask<T>(question: Question): Promise<T>;
  stop(): Promise<void>;
}

/** What a measured program can be asked. */
export type Question =
  | { readonly ask: "port" }
  | { readonly ask: "cpu" }
  | { readonly ask: "memory" }
  | { readonly ask: "run"; readonly ms: number; readonly inFlight: number };

const ANSWER_MS = 60_000;

/** Starts `dist/<file>` with the given arguments. */
export function startProgram(
  file: string,
  args: readonly string[],
  stdio: StdioOptions = ["ignore", "ignore", "inherit", "ipc"],
): Program {
  const path = new URL(`./${file}`, import.meta.url).pathname;
  const child = spawn(process.execPath, [path, ...args], { stdio });
  const left = once(child, "exit");
  let lastAsked = 0;

  async function ask<T>(question: Question): Promise<T> {
    lastAsked += 1;
    const token = lastAsked;
    child.send({ ...question, token });
    const { promise, resolve, reject } = createDeferred<T>();
    const timer = setTimeout(
      () => reject(new Error(`Expected ${file} to answer "${question.ask}" in time`)),
      ANSWER_MS,
    );
    function onMessage(message: { token: number; answer: T; error?: string }): void {
      if (message.token !== token) return;
      if (message.error === undefined) resolve(message.answer);
      else reject(new Error(`${file}: ${message.error}`));
    }
    function onExit(): void {
      reject(new Error(`Expected ${file} to go on, but it exited`));
    }
    child.on("message", onMessage);
    child.once("exit", onExit);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      child.off("message", onMessage);
      child.off("exit", onExit);
    }
  }

  return {
    child,
    ask,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
      await left;
    },
  };
}

function createDeferred<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (error: Error) => void } {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}
