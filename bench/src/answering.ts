import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Question } from "./process.js";

/** How a measured program answers what it is asked; `cpu` and `memory` are answered for it. */
export interface Answers {
  port?(): number | Promise<number>;
  run?(ms: number, inFlight: number): Promise<unknown>;
}

/** Memory in bytes: of the whole process, and of its JavaScript objects. */
export interface Memory {
  readonly rss: number;
  readonly heapUsed: number;
}

/** Lets the parent ask this process over the message channel. The process ends with its parent. */
export function answerParent(answers: Answers): void {
  process.on("disconnect", () => process.exit()); // the parent is gone
  process.on("message", (question: Question & { token: number }) => {
    void answer(question, answers).then(
      (value) => process.send?.({ token: question.token, answer: value }),
      (error: unknown) => process.send?.({ token: question.token, error: String(error) }),
    );
  });
}

/** User and system time of this process so far, in microseconds. */
export function readCpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** What this process holds after everything that can be collected was. */
async function readMemory(): Promise<Memory> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void; // what the flag above adds
  for (let round = 0; round < 4; round += 1) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  const { rss, heapUsed } = process.memoryUsage();
  return { rss, heapUsed };
}

async function answer(question: Question, answers: Answers): Promise<unknown> {
  switch (question.ask) {
    case "cpu":
      return readCpu();
    case "memory":
      return readMemory();
    case "port":
      return answers.port?.();
    case "run":
      return answers.run?.(question.ms, question.inFlight);
  }
}
