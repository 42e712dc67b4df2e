import type { Evidence } from "../era.js";
import type { Answer, ErrorAnswer } from "../link.js";

/** How answers are judged on any way to a server. */
export interface Judges {
  judgeModernAnswer(answer: Answer): Evidence | undefined;
  describeError(answer: ErrorAnswer): string;
}

/**
 * What the answer to `server/discover` on a pipe shows: anything that a modern server would not have said means legacy.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#backward-compatibility
 */
export function judgePipeAnswer(answer: Answer, { judgeModernAnswer, describeError }: Judges): Evidence {
  const modern = judgeModernAnswer(answer);
  if (modern !== undefined) return modern;
  if (answer.kind === "error") return { kind: "legacy", why: describeError(answer) };
  const kind = answer.kind === "result" ? "discover result" : "response";
  return { kind: "legacy", why: `the answer to server/discover was no ${kind}` };
}
