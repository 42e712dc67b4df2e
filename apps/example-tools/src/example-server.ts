import { setTimeout as sleep } from "node:timers/promises";
import { MCPServer } from "@mortise/server";
import * as z from "zod";
import { createTone, RED_DOT_PNG } from "./sample-media.js";

const SLOW_MS = 10_000;

/**
 * Builds the server of the examples: a tool for each thing a tool can do. It knows nothing of transports, so each example app
 * only chooses how to serve it.
 */
export function createExampleServer(): MCPServer {
  const server = new MCPServer({
    name: "mortise-example",
    version: "0.1.0",
    title: "Mortise example",
    instructions: "Try greet first; the other tools show content kinds, progress, failure and cancellation.",
  });
  addGreet(server);
  addShowContent(server);
  addCount(server);
  addFail(server);
  addSlow(server);
  return server;
}

/** Structured output: the result is checked against the schema, and clients get the object as well as its text. */
function addGreet(server: MCPServer): void {
  server.tool(
    "greet",
    {
      title: "Greet",
      description: "Greets someone by name",
      input: z.object({ name: z.string().min(1).describe("Who to greet") }),
      output: z.object({ message: z.string() }),
      annotations: { readOnlyHint: true },
    },
    ({ name }) => ({ message: `Hello, ${name}!` }),
  );
}

/** Every kind of content block. Clients of older revisions receive the newer kinds in a form they know. */
function addShowContent(server: MCPServer): void {
  server.tool(
    "show_content",
    {
      title: "Show content",
      description: "Returns one content block of every kind: text, image, audio, resource and resource link",
      annotations: { readOnlyHint: true },
    },
    () => [
      { type: "text", text: "One block of every kind follows." },
      { type: "image", data: RED_DOT_PNG, mimeType: "image/png" },
      { type: "audio", data: createTone(), mimeType: "audio/wav" },
      {
        type: "resource",
        resource: { uri: "example://notes/1", mimeType: "text/plain", text: "An embedded resource." },
      },
      { type: "resource_link", uri: "example://notes/2", name: "notes/2", mimeType: "text/plain" },
    ],
  );
}

/** Progress: sent only to callers that asked for it. */
function addCount(server: MCPServer): void {
  server.tool(
    "count",
    {
      title: "Count",
      description: "Counts up step by step and reports progress",
      input: z.object({
        to: z.int().min(1).max(100).default(5).describe("Where to stop"),
        stepMs: z.int().min(0).max(1_000).default(100).describe("How long a step takes, in milliseconds"),
      }),
      annotations: { readOnlyHint: true },
    },
    async ({ to, stepMs }, ctx) => {
      for (let step = 1; step <= to; step += 1) {
        await ctx.progress(step, to, `Step ${step} of ${to}`);
        await sleep(stepMs, undefined, { signal: ctx.signal });
      }
      return `Counted to ${to}`;
    },
  );
}

/** Failure: what a handler throws becomes a result with `isError`, which the model can read and act on. */
function addFail(server: MCPServer): void {
  server.tool(
    "fail",
    {
      title: "Fail",
      description: "Always fails",
      input: z.object({ reason: z.string().default("This tool always fails").describe("What the error says") }),
      annotations: { readOnlyHint: true },
    },
    ({ reason }) => {
      throw new Error(reason);
    },
  );
}

/** Cancellation: the signal ends the wait as soon as the caller cancels. */
function addSlow(server: MCPServer): void {
  server.tool(
    "slow",
    {
      title: "Take your time",
      description: "Takes ten seconds, unless it is cancelled",
      annotations: { readOnlyHint: true },
    },
    async (_args, ctx) => {
      await sleep(SLOW_MS, undefined, { signal: ctx.signal });
      return "Done after ten seconds";
    },
  );
}
