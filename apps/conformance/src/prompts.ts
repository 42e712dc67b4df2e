import type { MCPServer } from "@mortise/server";
import * as z from "zod";
import { PIXEL_PNG } from "./sample-media.js";

const GREETINGS = ["hello", "hi", "test", "testing"];

/** Prompts of each kind: plain text, text with arguments, an embedded resource, an image. */
export function addPrompts(server: MCPServer): void {
  // Text alone becomes one message of the user's.
  server.prompt("test_simple_prompt", { description: "A prompt without arguments" }, () => {
    return "This is a simple prompt for testing.";
  });

  server.prompt(
    "test_prompt_with_arguments",
    {
      description: "A prompt that repeats its arguments",
      input: z.object({ arg1: z.string().describe("First argument"), arg2: z.string().describe("Second argument") }),
      complete: { arg1: (typed) => GREETINGS.filter((word) => word.startsWith(typed)) },
    },
    ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  );

  // Arguments can be listed without a schema, too.
  server.prompt(
    "test_prompt_with_embedded_resource",
    {
      description: "A prompt that holds a resource",
      input: [{ name: "resourceUri", description: "The address of the resource", required: true }],
    },
    ({ resourceUri }) => [
      {
        role: "user",
        content: {
          type: "resource",
          resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded resource content for testing." },
        },
      },
      { role: "user", content: { type: "text", text: "Please process the embedded resource above." } },
    ],
  );

  server.prompt("test_prompt_with_image", { description: "A prompt that holds an image" }, () => [
    { role: "user", content: { type: "image", data: PIXEL_PNG, mimeType: "image/png" } },
    { role: "user", content: { type: "text", text: "Please analyze the image above." } },
  ]);

  // A prompt can ask its user before it is complete, like a tool.
  server.prompt(
    "test_input_required_result_prompt",
    { description: "A prompt that asks what it is for" },
    async (_args, ctx) => {
      const answer = await ctx.elicit({
        key: "user_context",
        message: "What context should the prompt use?",
        schema: z.object({ context: z.string() }),
      });
      return `Use this context: ${answer.action === "accept" ? answer.content.context : "none"}`;
    },
  );
}
