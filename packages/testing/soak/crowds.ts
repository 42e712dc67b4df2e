import type { HttpOptions } from "@mortise/node";
import { type Check, demand, demandReturn, findLevel, type Scale, withSubject } from "./checks.js";
import { Connections } from "./connection.js";
import { Crowd } from "./crowd.js";
import { opening } from "./messages.js";
import { type Subject, sleep } from "./subject.js";

const SESSIONS = { sessions: "memory", getStream: true } as const;
const CHANGE_MS = 200;
const IDLE_MS = 500;
const ROUNDS = 4;

/** Open streams and sessions that come and go. */
export const crowds: readonly Check[] = [
  { name: "streams and sessions that come and go leave nothing behind", run: (scale) => checkChurn(SESSIONS, scale) },
  {
    name: "resumable sessions that come and go leave nothing behind",
    run: (scale) => checkChurn({ ...SESSIONS, resumable: true }, { ...scale, churnMs: scale.churnMs / 2 }),
  },
  { name: "sessions that nobody ends are forgotten", run: checkForgotten },
];

function checkChurn(legacy: HttpOptions["legacy"], { crowd, churnMs }: Scale): Promise<string> {
  return withSubject({ legacy: { ...legacy, maxSessions: crowd * 2 } }, async (subject) => {
    const before = await findLevel(subject, () => runCrowd(subject, crowd, churnMs / 3));
    const { opened, notices } = await runCrowd(subject, crowd, churnMs);
    const after = await subject.settle();
    demand(after.calls === 0 && after.connections === 0, `Expected nothing open, received ${JSON.stringify(after)}`);
    demand(notices > 0, "Expected notices");
    const done = `${crowd} streams and ${crowd} sessions for ${churnMs / 1000} s, ${opened} opened, ${notices} notices`;
    return `${done}: ${demandReturn(before, after.heapUsed)}`;
  });
}

/** Fills a server with clients while things change, and empties it. */
async function runCrowd(subject: Subject, size: number, ms: number): Promise<Crowd> {
  const crowd = new Crowd(subject.port, size);
  await crowd.fill();
  const timer = setInterval(() => void subject.ask({ kind: "change", times: 1 }), CHANGE_MS);
  await crowd.churn(ms);
  clearInterval(timer);
  await crowd.leave();
  return crowd;
}

function checkForgotten({ crowd }: Scale): Promise<string> {
  return withSubject({ legacy: { ...SESSIONS, idleTimeout: IDLE_MS } }, async (subject) => {
    const forget = async (): Promise<void> => {
      await openSessions(subject, crowd);
      await sleep(IDLE_MS * 1.5);
      await openSessions(subject, Math.ceil(crowd / 16)); // whoever comes pays for a few that have gone
    };
    const before = await findLevel(subject, forget);
    for (let round = 0; round < ROUNDS; round += 1) await forget();
    const after = await subject.settle();
    return `${ROUNDS} times ${crowd} sessions: ${demandReturn(before, after.heapUsed)}`;
  });
}

async function openSessions(subject: Subject, count: number): Promise<void> {
  const connections = new Connections(subject.port);
  for (let opened = 0; opened < count; opened += 50) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => connections.send(opening())));
    demand(
      answers.every(({ status }) => status === 200),
      "Expected every session to open",
    );
  }
  connections.close();
}
