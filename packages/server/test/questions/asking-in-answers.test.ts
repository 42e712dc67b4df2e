import { expect, test } from "vitest";
import { accept, createServer, NAME_SCHEMA, reply, send, textOf } from "./modern-client.js";

test("a question ends the run with what is asked, and its answer lets the next run go on", async () => {
  const { server } = createServer();
  server.tool("ask", {}, async (_, { elicit }) => {
    const answer = await elicit({ message: "Who are you?", schema: NAME_SCHEMA, key: "user_name" });
    return answer.action === "accept" ? `Hello, ${answer.content.name}!` : "Hello!";
  });

  const first = await send(server);
  const second = await reply(server, first, () => accept({ name: "Ada" }));

  expect(first.result).toMatchObject({
    resultType: "input_required",
    requestState: expect.stringMatching(/^[\w-]+$/),
    inputRequests: {
      user_name: {
        method: "elicitation/create",
        params: {
          mode: "form",
          message: "Who are you?",
          requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
        },
      },
    },
  });
  expect(second.result).toMatchObject({ resultType: "complete" });
  expect(textOf(second)).toBe("Hello, Ada!");
});
