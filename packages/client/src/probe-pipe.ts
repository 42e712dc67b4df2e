import type { Evidence, Session } from "./era.js";
import type { Answer, Flight } from "./link.js";
import { withinTime } from "./within-time.js";

/**
 * How long a late answer to the probe is waited for at least once the handshake was refused: a server that has only just
 * begun to read may need longer than the probe was given, and nothing else is left to try.
 */
const LATE_ANSWER_MS = 2_000;

/** What finding out about a server behind a pipe needs. */
export interface PipeProbe {
  /** How answers are judged on any way to a server. */
  judgeAnswer(answer: Answer): Evidence;
  /** How long silence is waited out, in milliseconds. */
  readonly probeTimeout: number | undefined;
  /** Silence does not mean legacy. */
  readonly patient: boolean;
  /** Whether the server ended, and can be started anew to be greeted differently. */
  isLost(error: unknown): boolean;
  /** Asks which era it is. */
  ask(): Flight;
  /** Waits for an answer as long as a request may take. */
  wait(flight: Flight): Promise<Answer>;
  /** Goes on with what an answer showed. */
  settle(evidence: Evidence): Promise<Session>;
  openLegacy(why: Answer | string, abandoned?: AbortSignal): Promise<Session>;
  reopen(reason: unknown): Promise<void>;
}

/** Asks a server behind a pipe which era it speaks, and opens a session in it. */
export async function probePipe(probe: PipeProbe): Promise<Session> {
  const { judgeAnswer, ask, probeTimeout, patient, isLost, wait, settle, openLegacy, reopen } = probe;
  const flight = ask();
  try {
    if (patient) return await settle(judgePipeAnswer(await wait(flight), judgeAnswer));
    const answer = await withinTime(flight.answer, probeTimeout);
    return answer === undefined
      ? await openAfterSilence(flight, probe)
      : await settle(judgePipeAnswer(answer, judgeAnswer));
  } catch (error) {
    // Some legacy servers end when the first message is not `initialize`: start anew, and begin with that.
    if (!isLost(error)) throw error;
    await reopen(error);
    return openLegacy("the server ended when it got server/discover");
  }
}

/**
 * The probe was not answered in time, which means legacy; but a slow modern server may still answer it. An agreed
 * handshake stands whatever comes later; a failed one gives way to a late modern answer.
 */
async function openAfterSilence(flight: Flight, probe: PipeProbe): Promise<Session> {
  const { judgeAnswer, probeTimeout, settle, openLegacy } = probe;
  const late = flight.answer.then((answer) => onlyModern(judgePipeAnswer(answer, judgeAnswer)));
  const abandon = new AbortController();
  const settled = openLegacy(`server/discover was not answered within ${probeTimeout} ms`, abandon.signal).then(
    (session) => ({ session }),
    (error: unknown) => ({ error }),
  );
  // A modern server need not answer `initialize` at all: once it is known to be one, do not wait long.
  const outcome = await Promise.race([
    settled,
    late.then((evidence) => withinTime(settled, probeTimeout).then((done) => done ?? { evidence })),
  ]);
  if ("session" in outcome) return outcome.session;
  abandon.abort();
  const patience = Math.max(probeTimeout ?? 0, LATE_ANSWER_MS);
  const evidence = "evidence" in outcome ? outcome.evidence : await withinTime(late, patience);
  if (evidence === undefined) throw "error" in outcome ? outcome.error : new TypeError("Expected an outcome");
  return settle(evidence);
}

/** Passes on evidence for a modern server, and stays pending on any other. */
function onlyModern(evidence: Evidence): Evidence | Promise<never> {
  return evidence.kind === "legacy" || evidence.kind === "none" ? new Promise<never>(() => undefined) : evidence;
}

/**
 * What the answer to `server/discover` on a pipe shows: anything that a modern server would not have said means legacy.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#backward-compatibility
 */
function judgePipeAnswer(answer: Answer, judgeAnswer: PipeProbe["judgeAnswer"]): Evidence {
  const evidence = judgeAnswer(answer);
  return evidence.kind === "none" ? { kind: "legacy", answer } : evidence;
}
