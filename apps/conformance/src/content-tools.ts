import { setTimeout as wait } from "node:timers/promises";
import type { ContentBlock, MCPServer } from "@mortise/server";
import { PIXEL_PNG, SILENCE_WAV } from "./sample-media.js";

const STEP_MS = 50;

const IMAGE: ContentBlock = { type: "image", data: PIXEL_PNG, mimeType: "image/png" };
const AUDIO: ContentBlock = { type: "audio", data: SILENCE_WAV, mimeType: "audio/wav" };

/** Tools that show what a result can hold: one for each kind of content, and the ways to report progress, failure and events. */
export function addContentTools(server: MCPServer): void {
  server.tool("test_simple_text", { description: "Answers with text" }, () => {
    return "This is a simple text response for testing.";
  });

  server.tool("test_image_content", { description: "Answers with an image" }, () => IMAGE);

  server.tool("test_audio_content", { description: "Answers with sound" }, () => AUDIO);

  server.tool("test_embedded_resource", { description: "Answers with a resource that is part of the result" }, () => {
    const text = "This is an embedded resource content.";
    return { type: "resource", resource: { uri: "test://embedded-resource", mimeType: "text/plain", text } };
  });

  server.tool(
    "test_multiple_content_types",
    { description: "Answers with text, an image and a resource at once" },
    () => {
      const text = JSON.stringify({ test: "data", value: 123 });
      return [
        { type: "text", text: "Multiple content types test:" },
        IMAGE,
        { type: "resource", resource: { uri: "test://mixed-content-resource", mimeType: "application/json", text } },
      ];
    },
  );

  // What a handler throws becomes a result that says so: the model is to read it, the call itself has worked.
  server.tool("test_error_handling", { description: "Always fails" }, () => {
    throw new Error("This tool intentionally returns an error for testing");
  });

  server.tool("test_tool_with_progress", { description: "Reports its progress in three steps" }, async (_args, ctx) => {
    for (const progress of [0, 50, 100]) {
      await ctx.progress(progress, 100, `Completed step ${progress} of 100`);
      await wait(STEP_MS, undefined, { signal: ctx.signal });
    }
    return "Progress was reported three times.";
  });

  server.tool(
    "test_tool_with_logging",
    { description: "Writes three log messages while it works" },
    async (_args, ctx) => {
      for (const step of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
        await ctx.log("info", step);
        await wait(STEP_MS, undefined, { signal: ctx.signal });
      }
      return "Three messages were logged.";
    },
  );
}
