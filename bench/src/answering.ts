import type { Question } from "./process.js";

/** How a measured program answers what it is asked; `cpu` is answered for it. */
export interface Answers {
  port?(): number | Promise<number>;
  run?(ms: number, inFlight: number): Promise<unknown>;
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

async function answer(question: Question, answers: Answers): Promise<unknown> {
  switch (question.ask) {
    case "cpu":
      return readCpu();
    case "port":
      return answers.port?.();
    case "run":
      return answers.run?.(question.ms, question.inFlight);
  }
}
