import { createAnswerCheck, readMessages } from "./answer-check.js";
import { answerParent } from "./answering.js";
import { checkAnswer, createRequest, createRoutingHeaders, FIRST_ID } from "./requests.js";
import { driveSelf } from "./self-load.js";

/** Calls a fetch handler in this process whenever the parent says so. */
export function serveFetchLoad(handler: (request: Request) => Promise<Response>): void {
  const text = createRequest("greet", "modern");
  const answers = createAnswerCheck((id, body) => checkAnswer("greet", "modern", id, readMessages(body)));
  const headers: [string, string][] = [
    ["Content-Type", "application/json"],
    ["Accept", "application/json, text/event-stream"],
    ...createRoutingHeaders("greet", "modern"),
  ];
  let nextId = FIRST_ID;

  async function call(): Promise<void> {
    const id = nextId;
    nextId += 1;
    const body = `${text.before}${id}${text.after}`;
    const response = await handler(new Request("http://127.0.0.1/mcp", { method: "POST", headers, body }));
    if (response.status !== 200) throw new Error(`Expected status 200, received ${response.status}`);
    answers.check(id, Buffer.from(await response.arrayBuffer()));
  }

  answerParent({ run: (ms, inFlight) => driveSelf(call, ms, inFlight) });
}
