import { type Check, demand, type Scale, withSubject } from "./checks.js";
import { Connections } from "./connection.js";
import { calling, legacy, opening, type Sent } from "./messages.js";
import type { Subject } from "./subject.js";
import { demandLittle, openUnread } from "./unread.js";

const SSE = { path: "/sse", messagePath: "/messages" } as const;
const ANSWER = 100_000;
const PER_MEBIBYTE = 1_048_576 / ANSWER;

/** A client of the HTTP+SSE transport that goes on to ask, and does not read what it is answered. */
export const unreadAnswers: Check = {
  name: "a stream of answers that is not read holds little, and takes no more questions",
  run: (scale) => withSubject({ legacy: { sse: SSE } }, (subject) => weighUnreadAnswers(subject, scale)),
};

async function weighUnreadAnswers(subject: Subject, { flood }: Scale): Promise<string> {
  const connections = new Connections(subject.port);
  const before = await subject.ask({ kind: "collect" });
  const asked: Sent = { method: "GET", path: SSE.path, headers: { accept: "text/event-stream" } };
  const { socket, text } = await openUnread(subject.port, asked, "\n\n\r\n");
  const [path = ""] = /\/messages\?sessionId=[\w-]+/.exec(text) ?? [];
  await connections.send({ ...opening("2024-11-05"), path });
  let refused = 0;
  for (let id = 0; id < flood * PER_MEBIBYTE; id += 1) {
    const { status } = await connections.send({ ...legacy(calling("echo", { text: "x".repeat(ANSWER) }, id)), path });
    demand(status === 202 || status === 503, `Expected 202 or 503, received ${status}`);
    if (status === 503) refused += 1;
  }
  const during = await subject.ask({ kind: "collect" });
  socket.destroy();
  connections.close();
  const after = await subject.settle();
  demand(refused > 0, "Expected some questions to be refused");
  return `${flood} MiB asked for, ${refused} questions refused: ${demandLittle(before, during, after)}`;
}
