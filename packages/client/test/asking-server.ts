import type { ClientOptions } from "@mortise/client";
import { type FakeServer, type Loose, type Reply, startFake } from "./fake-http.js";
import { serveModern } from "./modern-server.js";

export const DONE = { resultType: "complete", content: [{ type: "text", text: "done" }] };
export const FORM = {
  method: "elicitation/create",
  params: {
    message: "Who?",
    requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  },
};
export const ROOTS = { method: "roots/list" };
export const SAMPLE = {
  method: "sampling/createMessage",
  params: { messages: [{ role: "user", content: { type: "text", text: "Hi" } }], maxTokens: 5 },
};

/** Starts a modern server that answers calls with one result after the other; the last one stands for the rest. */
export function startAsking(...results: object[]): Promise<FakeServer> {
  let next = 0;
  const call = (reply: Reply): void => {
    reply.result(results[Math.min(next, results.length - 1)]);
    next += 1;
  };
  return startFake(serveModern({ "tools/call": call, "prompts/get": call, "resources/read": call }));
}

export function asks(inputRequests: object, requestState?: unknown): object {
  return { resultType: "input_required", inputRequests, requestState };
}

export function callsOf(fake: FakeServer): (Loose | undefined)[] {
  return fake.log.filter(({ message }) => message.method === "tools/call").map(({ message }) => message.params);
}

export const ALL: Partial<ClientOptions> = {
  onElicit: () => ({ action: "accept", content: { name: "Ada" } }),
  onSample: () => ({ content: { type: "text", text: "Hello" }, model: "m" }),
  onRoots: () => [{ uri: "file:///home", name: "Home" }],
};
