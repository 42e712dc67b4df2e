import * as z from "zod";

/** What a server under load offers. One per process, so that no implementation pays for tools the workload never calls. */
export type Scenario = "greet" | "list" | "result" | "argument" | "burst" | "ticks";

/** A tool as every implementation registers it, with its schemas in both forms. */
export interface ScenarioTool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output?: z.ZodObject;
  readonly inputJson: Record<string, unknown>;
  readonly outputJson?: Record<string, unknown>;
  /** What the handler answers; `notify` sends one progress notice. */
  run(args: Readonly<Record<string, unknown>>, notify: (progress: number) => void): Answer | Promise<Answer>;
}

/** What a handler has to say: text, and structured content where the tool declares an output. */
export interface Answer {
  readonly text: string;
  readonly structured?: Record<string, unknown>;
}

export const SERVER_INFO = { name: "bench", version: "1.0.0" } as const;
export const BURST_NOTICES = 100;
export const TICK_NOTICES = 20;
export const RESULT_TEXT: string = "x".repeat(1 << 20);
export const ARGUMENT_TEXT: string = "y".repeat(1 << 19);

/** The tools of one scenario. */
export function createTools(scenario: Scenario): ScenarioTool[] {
  switch (scenario) {
    case "greet":
      return [greet("greet")];
    case "list":
      return Array.from({ length: 100 }, (_, index) => greet(`greet_${String(index).padStart(3, "0")}`));
    case "result":
      return [plainText("result", () => ({ text: RESULT_TEXT }))];
    case "argument":
      return [plainText("argument", (args) => ({ text: String(String(args.text).length) }))];
    case "burst":
      return [plainText("burst", (_args, notify) => sendBurst(notify))];
    case "ticks":
      return [plainText("ticks", (_args, notify) => sendTicks(notify))];
  }
}

/** Reads the scenario from the command line. */
export function readScenario(): Scenario {
  return (process.argv[2] ?? "greet") as Scenario; // only this workspace starts these programs
}

function greet(name: string): ScenarioTool {
  const input = z.object({ name: z.string() });
  const output = z.object({ message: z.string() });
  return {
    name,
    description: "Greets the person with the given name, in a friendly way",
    input,
    output,
    inputJson: z.toJSONSchema(input, { io: "input" }),
    outputJson: z.toJSONSchema(output),
    run: (args) => {
      const structured = { message: `Hello, ${String(args.name)}!` };
      return { text: JSON.stringify(structured), structured };
    },
  };
}

function plainText(name: string, run: ScenarioTool["run"]): ScenarioTool {
  const input = z.object({ text: z.string() });
  return { name, description: name, input, inputJson: z.toJSONSchema(input, { io: "input" }), run };
}

function sendBurst(notify: (progress: number) => void): Answer {
  for (let progress = 1; progress <= BURST_NOTICES; progress += 1) notify(progress);
  return { text: "done" };
}

async function sendTicks(notify: (progress: number) => void): Promise<Answer> {
  for (let progress = 1; progress <= TICK_NOTICES; progress += 1) {
    notify(progress);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return { text: "done" };
}
