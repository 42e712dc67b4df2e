import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@mortise/server";
import { type AnswerQuestion, callLegacy, callModern } from "./asked-client.js";
import { type Counts, createTripServer } from "./trip-server.js";

/** One way to be served. */
export interface Way {
  readonly title: string;
  readonly call: typeof callModern;
  readonly replay: "modern" | "always";
  readonly expected: Counts;
}

/** What came of one way. */
export interface Trial {
  readonly title: string;
  readonly counts: Counts;
  readonly text: string;
  /** Whether it went as it should. */
  readonly right: boolean;
}

const RUN_AGAIN: Counts = { runs: 3, unguarded: 3, once: 1, afterwards: 1 };
const RUN_ONCE: Counts = { runs: 1, unguarded: 1, once: 1, afterwards: 1 };

/** Two questions make three runs, wherever handlers run again. */
export const WAYS: readonly Way[] = [
  { title: "modern client", call: callModern, replay: "modern", expected: RUN_AGAIN },
  { title: "legacy client", call: callLegacy, replay: "modern", expected: RUN_ONCE },
  { title: 'legacy client, with replay: "always"', call: callLegacy, replay: "always", expected: RUN_AGAIN },
];

/** Calls the tool in one way, and counts. */
export async function tryWay({ title, call, replay, expected }: Way): Promise<Trial> {
  const { server, counts } = createTripServer({ replay, onWarning: () => undefined }); // one process needs no shared key
  const result = await call(server, "plan_trip", answerTrip);
  await server.close();
  const text = readText(result);
  const right = isDeepStrictEqual(counts, expected) && text === "3 nights in Lisbon (draft-1)";
  return { title, counts, text, right };
}

/** Lines that show trials to people. */
export function formatTrial({ title, counts, text, right }: Trial): string {
  return [
    `${right ? "✓" : "✗"} ${title}: ${text}`,
    `    the handler ran                    ${counts.runs} ×`,
    `    a side effect in the open          ${counts.unguarded} ×`,
    `    the same inside ctx.once           ${counts.once} ×`,
    `    a side effect behind the questions ${counts.afterwards} ×`,
  ].join("\n");
}

const answerTrip: AnswerQuestion = ({ message }) => ({
  action: "accept",
  content: String(message).startsWith("Where") ? { city: "Lisbon" } : { nights: 3 },
});

function readText({ content }: JsonObject): string {
  const [block] = content as readonly { readonly text?: string }[]; // a tool's result has it
  return block?.text ?? "";
}
