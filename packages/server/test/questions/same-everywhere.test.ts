import type { HandlerContext } from "@mortise/server";
import { describe, expect, test } from "vitest";
import { openLegacy } from "./legacy-client.js";
import { accept, createServer, reply, send, textOf } from "./modern-client.js";

/** What a handler does: asks, works once, waits a little, or does several such things one after the other or at once. */
type Plan =
  | { readonly ask: number }
  | { readonly once: number }
  | { readonly pause: number }
  | { readonly steps: readonly Plan[]; readonly atOnce: boolean };

const SCHEMA = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } as const;
const MOST_ROUNDS = 60;

/** Numbers that look random and are the same in each run. */
function createRandom(seed: number): (below: number) => number {
  let state = Math.imul(seed, 2654435761) ^ (seed << 7);
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * below);
  };
}

function createPlan(random: (below: number) => number, depth: number): Plan {
  const kind = depth === 0 ? random(3) : random(6);
  if (kind === 0) return { ask: random(6) };
  if (kind === 1) return { once: random(1_000_000) };
  if (kind === 2) return { pause: random(3) };
  const steps = Array.from({ length: 1 + random(3) }, () => createPlan(random, depth - 1));
  return { steps, atOnce: random(2) === 0 };
}

async function follow(plan: Plan, context: HandlerContext, worked: number[]): Promise<unknown> {
  if ("ask" in plan) {
    const answer = await context.elicit({ message: `Number ${plan.ask}?`, schema: SCHEMA });
    return answer.action === "accept" ? answer.content.n : answer.action;
  }
  if ("once" in plan) {
    return context.once(`work-${plan.once}`, () => {
      worked.push(plan.once);
      return plan.once;
    });
  }
  if ("pause" in plan) {
    for (let turn = 0; turn < plan.pause; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    return null;
  }
  if (plan.atOnce) return Promise.all(plan.steps.map((step) => follow(step, context, worked)));
  const results: unknown[] = [];
  for (const step of plan.steps) results.push(await follow(step, context, worked));
  return results;
}

/** The client declines one question and accepts the others. */
function answerTo(message: unknown): unknown {
  const number = Number(/\d+/.exec(String(message))?.[0]);
  return number === 5 ? { action: "decline" } : accept({ n: number });
}

function createFollowing(plan: Plan, options = {}) {
  const created = createServer(options);
  const worked: number[] = [];
  created.server.tool("ask", {}, async (_, context) => JSON.stringify(await follow(plan, context, worked)));
  return { ...created, worked };
}

async function callLegacy(plan: Plan, replay: "modern" | "always"): Promise<Outcome> {
  const { server, worked, errors } = createFollowing(plan, { replay });
  const client = openLegacy(server, ({ params }) => ({ result: answerTo(params.message) }));
  const text = textOf(await client.call());
  return { text, asked: client.put.length, worked: worked.sort(), errors };
}

async function callModern(plan: Plan): Promise<Outcome> {
  const { server, worked, errors } = createFollowing(plan);
  let asked = 0;
  let answer = await send(server);
  for (let round = 0; answer.result?.resultType === "input_required" && round < MOST_ROUNDS; round += 1) {
    asked += Object.keys(answer.result.inputRequests).length;
    answer = await reply(server, answer, (_, { params }) => answerTo(params.message));
  }
  return { text: textOf(answer), asked, worked: worked.sort(), errors };
}

interface Outcome {
  readonly text: string | undefined;
  readonly asked: number;
  readonly worked: readonly number[];
  readonly errors: readonly unknown[];
}

describe("a handler gives the same, asks as often and works as often on", () => {
  test.each(Array.from({ length: 40 }, (_, seed) => seed))("every revision (plan %i)", async (seed) => {
    const random = createRandom(seed + 1);
    const steps = Array.from({ length: 4 }, () => createPlan(random, 3));
    const plan = { steps, atOnce: seed % 2 === 0 };

    const waiting = await callLegacy(plan, "modern");
    const replaying = await callLegacy(plan, "always");
    const modern = await callModern(plan);

    expect(waiting.text).toBeDefined();
    expect(replaying).toEqual(waiting);
    expect(modern).toEqual(waiting);
  });
});
