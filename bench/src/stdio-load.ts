import type { Readable, Writable } from "node:stream";
import { createAnswerCheck } from "./answer-check.js";
import type { Contender, Running, Slice } from "./contender.js";
import { startProgram } from "./process.js";
import { checkAnswer, createRequest, FIRST_ID } from "./requests.js";

const MAX_CALLS = 200_000;
const ID_PATTERN = /"id":(\d{7})/;

/** Loads a stdio server with a constant number of requests in flight; answers may come in any order. */
export function createStdioContender(name: Contender["name"], inFlight: number): Contender {
  return {
    name,
    async start() {
      const program = startProgram(`servers/stdio-${name}.js`, ["greet"], ["pipe", "pipe", "inherit", "ipc"]);
      const { stdin, stdout } = program.child;
      if (stdin === null || stdout === null) throw new Error("Expected pipes to the stdio server");
      const pipe = createPipe(stdin, stdout);
      return {
        stop: () => program.stop(),
        async slice(ms) {
          const cpuBefore = await program.ask<number>({ ask: "cpu" });
          const { calls, elapsedMs } = await pipe.run(ms, inFlight);
          const cpuUs = (await program.ask<number>({ ask: "cpu" })) - cpuBefore;
          return { calls, elapsedMs, cpuUs };
        },
      } satisfies Running;
    },
  };
}

function createPipe(
  stdin: Writable,
  stdout: Readable,
): { run(ms: number, inFlight: number): Promise<Omit<Slice, "cpuUs">> } {
  const request = createRequest("greet", "modern");
  const answers = createAnswerCheck((id, line) => checkAnswer("greet", "modern", id, [JSON.parse(line)]));
  const pending = new Set<number>();
  let nextId = FIRST_ID;
  let rest: Buffer = Buffer.alloc(0);
  let onLines: (count: number) => void = () => undefined;
  let onError: (error: unknown) => void = () => undefined;

  function ask(count: number): void {
    let text = "";
    for (let index = 0; index < count; index += 1) {
      pending.add(nextId);
      text += `${request.before}${nextId}${request.after}\n`;
      nextId += 1;
    }
    stdin.write(text, "latin1");
  }

  function takeLine(line: Buffer): void {
    const id = Number(ID_PATTERN.exec(line.toString("latin1"))?.[1]);
    if (!pending.delete(id))
      throw new Error(`Expected an answer to an open request, received ${line.toString("utf8").slice(0, 300)}`);
    answers.check(id, line);
  }

  stdout.on("data", (chunk: Buffer) => {
    try {
      const block = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let start = 0;
      let count = 0;
      for (let end = block.indexOf(10); end !== -1; end = block.indexOf(10, start)) {
        takeLine(block.subarray(start, end));
        start = end + 1;
        count += 1;
      }
      rest = block.subarray(start);
      onLines(count);
    } catch (error) {
      onError(error);
    }
  });

  return {
    run(ms, inFlight) {
      const started = performance.now();
      const firstId = nextId;
      return new Promise((resolve, reject) => {
        onError = reject;
        onLines = (count) => {
          const over = performance.now() - started >= ms || nextId - firstId >= MAX_CALLS;
          if (!over) return ask(count);
          if (pending.size === 0) resolve({ calls: nextId - firstId, elapsedMs: performance.now() - started });
        };
        ask(inFlight);
      });
    },
  };
}
