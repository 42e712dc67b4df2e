import { type Check, demand, demandReturn, findLevel, type Scale, withSubject } from "./checks.js";
import { Connections } from "./connection.js";
import { opening } from "./messages.js";
import { REQUEST_KINDS, type RequestKind } from "./request-kinds.js";
import type { Subject } from "./subject.js";

const AT_ONCE = 48;
/** Every opening beyond these pushes out the session that has been idle for longest. */
const MAX_SESSIONS = 400;
const SESSIONS = { sessions: "memory", getStream: true, maxSessions: MAX_SESSIONS } as const;
/** These are sent once in so many times that they are chosen: to write them takes longer than all others together. */
const RARE = new Map([
  ["large body", 20],
  ["deep body", 5],
]);

/** Good and bad requests, all at the same time. */
export const mixedRequests: readonly Check[] = [
  {
    name: "good and bad requests are all answered, and leave nothing behind",
    run: (scale) => withSubject({ legacy: SESSIONS }, (subject) => checkMixed(subject, scale)),
  },
];

async function checkMixed(subject: Subject, { requests }: Scale): Promise<string> {
  await openAll(subject);
  const before = await findLevel(subject, () => sendAll(subject, Math.ceil(requests / 5)));
  const begun = performance.now();
  const { answered, left } = await sendAll(subject, requests);
  const seconds = (performance.now() - begun) / 1000;
  const after = await subject.settle();
  demand(after.calls === 0 && after.connections === 0, `Expected nothing open, received ${JSON.stringify(after)}`);
  const rate = Math.round(requests / seconds);
  return `${answered} answered, ${left} left by their client, ${rate} each second: ${demandReturn(before, after.heapUsed)}`;
}

/** So many sessions that there is no room for more. */
async function openAll(subject: Subject): Promise<void> {
  const connections = new Connections(subject.port);
  for (let opened = 0; opened < MAX_SESSIONS; opened += 1) await openSession(connections);
  connections.close();
}

async function sendAll(subject: Subject, count: number): Promise<{ answered: number; left: number }> {
  const connections = new Connections(subject.port);
  const sums = { answered: 0, left: 0 };
  const choose = createChooser();
  let number = 0;
  const worker = async (): Promise<void> => {
    const session = await openSession(connections);
    while (number < count) {
      number += 1;
      if (await sendOne(connections, choose(), { session, number })) sums.answered += 1;
      else sums.left += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  connections.close();
  return sums;
}

async function openSession(connections: Connections): Promise<string> {
  const { status, headers } = await connections.send(opening());
  demand(status === 200, `Expected a session, received ${status}`);
  return String(headers["mcp-session-id"]);
}

/** Chooses among all kinds, in the same order in every run. */
function createChooser(): () => RequestKind {
  let state = 1;
  const draw = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return () => {
    const kind = REQUEST_KINDS[draw(REQUEST_KINDS.length)] as RequestKind; // below the length
    return draw(RARE.get(kind.name) ?? 1) === 0 ? kind : (REQUEST_KINDS[0] as RequestKind);
  };
}

/** Gives whether there was an answer to be had. Throws where it is none that fits. */
async function sendOne(
  connections: Connections,
  kind: RequestKind,
  surroundings: { session: string; number: number },
): Promise<boolean> {
  const sent = kind.write(surroundings);
  if (kind.statuses === undefined) {
    await connections.abandon(sent, surroundings.number % 5, kind.cut);
    return false;
  }
  const answer = await connections.send(sent).catch((error: unknown) => {
    throw new Error(`Expected an answer to "${kind.name}"`, { cause: error });
  });
  const fits = kind.statuses.includes(answer.status) && (kind.fits?.(answer, surroundings) ?? true);
  demand(
    fits,
    `Expected an answer to "${kind.name}" that fits, received ${answer.status} ${answer.text.slice(0, 200)}`,
  );
  return true;
}
