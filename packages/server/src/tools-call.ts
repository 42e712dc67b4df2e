import { invalidParams, isJsonRpcError, isObject, isThenable, type JsonObject, JsonRpcError, RPC } from "@mortise/core";
import type { Call } from "./call.js";
import { HandlerContext } from "./context.js";
import { copyJson } from "./copy-json.js";
import { createMissing } from "./extensions.js";
import { concludeRun, hasAsked, type Settled, settleRun } from "./handler-run.js";
import { defineMethod, type Method } from "./method.js";
import { projectToolResult } from "./project-result.js";
import type { RegisteredTool } from "./registered-tool.js";
import { run } from "./run.js";
import type { Checked } from "./schema/compiled.js";
import { createErrorResult, describeIssues, InvalidOutput, toToolResult } from "./tool-result.js";
import { findShown } from "./visible.js";

interface ToolCallInput {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** Runs a tool. https://modelcontextprotocol.io/specification/2026-07-28/server/tools#calling-tools */
export const toolsCall: Method = defineMethod<ToolCallInput>({
  name: "tools/call",
  feature: "tools",
  mirrors: "name",
  asks: true,
  subject: (call) => findShown(call.server.tools, call.request.params?.name, call),
  parse(params) {
    const { name, arguments: args = {} } = params ?? {};
    if (typeof name !== "string") throw invalidParams("params.name", "a string", name);
    if (!isObject(args)) throw invalidParams("params.arguments", "an object", args);
    return { name, arguments: args };
  },
  project: (result, call) => projectToolResult(result, call.revision, toTool(call)),
  run(call, input) {
    const tool = toTool(call);
    if (tool === undefined) throw new JsonRpcError(RPC.invalidParams, `Unknown tool: ${input.name.slice(0, 128)}`);
    return call.server.extensions.around.length === 0 ? runTool(call, tool) : runAround(call, tool);
  },
});

function toTool(call: Call): RegisteredTool | undefined {
  return call.subject as RegisteredTool | undefined; // what `subject` above gives
}

function runTool(call: Call, tool: RegisteredTool): JsonObject | Promise<JsonObject> {
  const checked = tool.input.check(readArguments(call, tool));
  return isThenable(checked) ? checked.then((later) => runChecked(call, tool, later)) : runChecked(call, tool, checked);
}

/**
 * What was sent; a copy where the handler may run again, since what a run does to its arguments must not reach the next, nor make
 * another request of the retry. Only a handler that takes its context can ask.
 */
function readArguments(call: Call, { handler }: RegisteredTool): JsonObject {
  const { arguments: args } = call.input as ToolCallInput; // what `parse` above returned
  return handler.length !== 1 && call.can.size > 0 ? copyJson(args) : args;
}

/** Lets the server's extensions have their way with the call. */
async function runAround(call: Call, tool: RegisteredTool): Promise<JsonObject> {
  const { createAround } = await import("./around-tool-call.js");
  return createAround({
    extensions: [...call.server.extensions.around],
    tool: tool.listing,
    runTool: (each) => runTool(each, tool),
    run,
    createContext: (each) => new HandlerContext(each),
    createMissing,
    conclude: (each, settled, handlerRun) =>
      hasAsked(each, "returned" in settled ? settled.returned : undefined)
        ? concludeRun(each, settled, handlerRun)
        : settleRun(settled, handlerRun),
    createError: (code, message, data) => new JsonRpcError(code, message, data),
  })(call);
}

function runChecked(call: Call, tool: RegisteredTool, checked: Checked): JsonObject | Promise<JsonObject> {
  if (!checked.ok) return refuseArguments(call, tool, checked);
  let returned: unknown;
  try {
    // A handler's arguments are what its own schema let through.
    returned = tool.handler(checked.value as never, new HandlerContext(call));
  } catch (error) {
    return hasAsked(call) ? conclude(call, tool, checked.value, { error }) : toFailure(call, tool, error);
  }
  if (!isThenable(returned))
    return hasAsked(call, returned)
      ? conclude(call, tool, checked.value, { returned })
      : toResult(call, tool, returned);
  return Promise.resolve(returned).then(
    (value) =>
      hasAsked(call, value) ? conclude(call, tool, checked.value, { returned: value }) : toResult(call, tool, value),
    (error: unknown) =>
      hasAsked(call) ? conclude(call, tool, checked.value, { error }) : toFailure(call, tool, error),
  );
}

/** Makes the result of a handler that asked something. */
function conclude(call: Call, tool: RegisteredTool, args: unknown, settled: Settled): Promise<JsonObject> {
  const handle = (checked: Checked): unknown =>
    tool.handler((checked.ok ? checked.value : args) as never, new HandlerContext(call)); // as before the first run
  return concludeRun(call, settled, {
    again() {
      const checked = tool.input.check(readArguments(call, tool));
      return isThenable(checked) ? checked.then(handle) : handle(checked);
    },
    toResult: (returned) => toResult(call, tool, returned),
    toFailure: (error) => toFailure(call, tool, error),
  });
}

function toResult(call: Call, tool: RegisteredTool, returned: unknown): JsonObject | Promise<JsonObject> {
  try {
    const result = toToolResult(tool, returned);
    return isThenable(result)
      ? Promise.resolve(result).catch((error: unknown) => toInvalidOutput(call, tool, error))
      : result;
  } catch (error) {
    return toInvalidOutput(call, tool, error);
  }
}

/** The handler's own fault: its author is told, and the model learns that the tool is broken. */
function toInvalidOutput(call: Call, tool: RegisteredTool, error: unknown): JsonObject {
  if (!(error instanceof InvalidOutput)) throw error;
  call.server.report(error, { method: "tools/call", name: tool.name });
  return createErrorResult(error.message);
}

function toFailure(call: Call, tool: RegisteredTool, error: unknown): JsonObject {
  if (isJsonRpcError(error)) {
    if (call.ledger?.isReceived(error) !== true) throw error;
    return createErrorResult(error.message);
  }
  if (!call.cancelled) call.server.report(error, { method: "tools/call", name: tool.name });
  return createErrorResult(describeFailure(error, tool));
}

function describeFailure(error: unknown, tool: RegisteredTool): string {
  const message = error instanceof Error ? error.message : error;
  return typeof message === "string" && message !== "" ? message : `Tool "${tool.name}" failed`;
}

function refuseArguments(call: Call, tool: RegisteredTool, checked: Checked & { ok: false }): JsonObject {
  const message = `Invalid arguments for tool "${tool.name}"\n${describeIssues(checked.issues)}`;
  if (call.server.settings.invalidArguments === "protocol-error") throw new JsonRpcError(RPC.invalidParams, message);
  return createErrorResult(message);
}
