import { invalidParams, isThenable, type JsonObject, JsonRpcError, RPC } from "@mortise/core";
import type { Call } from "./call.js";
import { isBlock } from "./content-block.js";
import { HandlerContext } from "./context.js";
import { toSentError } from "./handler-failure.js";
import { runHandler } from "./handler-run.js";
import { loadOnce } from "./load-once.js";
import { defineMethod, type Method } from "./method.js";
import { projectPromptResult } from "./project-prompt.js";
import type { RegisteredPrompt } from "./registered-prompt.js";
import type { Checked } from "./schema/checked.js";
import { parseStrings } from "./string-arguments.js";
import { describeIssues, InvalidOutput } from "./tool-result.js";
import { findShown } from "./visible.js";

interface PromptGetInput {
  readonly name: string;
  readonly arguments: JsonObject;
}

const loadPromptResult = loadOnce(() => import("./prompt-result.js"));

/** Makes the messages of a prompt. https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#getting-a-prompt */
export const promptsGet: Method = defineMethod<PromptGetInput>({
  name: "prompts/get",
  feature: "prompts",
  mirrors: "name",
  asks: true,
  subject: (call) => findShown(call.server.prompts, call.request.params?.name, call),
  parse(params) {
    const { name, arguments: args = {} } = params ?? {};
    if (typeof name !== "string") throw invalidParams("params.name", "a string", name);
    return { name, arguments: parseStrings(args, "params.arguments") };
  },
  project: (result, call) => projectPromptResult(result, call.revision),
  run(call, input) {
    const prompt = call.subject as RegisteredPrompt | undefined; // what `subject` above gives
    if (prompt === undefined) throw new JsonRpcError(RPC.invalidParams, `Unknown prompt: ${input.name.slice(0, 128)}`);
    // A copy: what a run does to its arguments must not reach the next, nor make another request of the retry.
    const check = (): Checked | Promise<Checked> => prompt.arguments.check({ ...input.arguments });
    const checked = check();
    return isThenable(checked)
      ? checked.then((later) => runChecked({ call, prompt, check }, later))
      : runChecked({ call, prompt, check }, checked);
  },
});

interface PromptRun {
  readonly call: Call;
  readonly prompt: RegisteredPrompt;
  check(): Checked | Promise<Checked>;
}

function runChecked({ call, prompt, check }: PromptRun, checked: Checked): JsonObject | Promise<JsonObject> {
  if (!checked.ok) {
    const message = `Invalid arguments for prompt "${prompt.name}"\n${describeIssues(checked.issues)}`;
    throw new JsonRpcError(RPC.invalidParams, message);
  }
  // A handler's arguments are what its own schema let through.
  const handle = (each: Checked): unknown =>
    prompt.handler((each.ok ? each.value : checked.value) as never, new HandlerContext(call));
  let first: Checked | undefined = checked;
  return runHandler(call, {
    again() {
      const each = first ?? check();
      first = undefined;
      return isThenable(each) ? each.then(handle) : handle(each);
    },
    toResult: (returned) => toResult(prompt, returned),
    toFailure: (error) => {
      throw toSentError(call, prompt.name, error);
    },
  });
}

async function toResult({ name }: RegisteredPrompt, returned: unknown): Promise<JsonObject> {
  const { toPromptResult } = await loadPromptResult();
  return toPromptResult({ name, isBlock, InvalidOutput }, returned);
}
