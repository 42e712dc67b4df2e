import { invalidParams, isObject, type JsonObject, JsonRpcError, RPC } from "@mortise/core";
import type { Call } from "./call.js";
import type { Completers } from "./completer.js";
import { findResource } from "./find-resource.js";
import { toSentError } from "./handler-failure.js";
import { loadOnce } from "./load-once.js";
import { defineMethod, type Method } from "./method.js";
import { isTemplate } from "./resource-listing.js";
import { parseStrings } from "./string-arguments.js";
import { InvalidOutput } from "./tool-result.js";
import { findShown } from "./visible.js";

interface CompleteInput {
  /** The member of `params.ref` that tells what is completed. */
  readonly by: "name" | "uri";
  readonly target: string;
  readonly argument: string;
  readonly value: string;
  readonly settled: Readonly<Record<string, string>>;
}

/** What is completed, with what completes it. */
interface Target {
  readonly name: string;
  readonly completers: Completers;
}

const NOTHING: Completers = new Map();
const REFERENCES: ReadonlyMap<unknown, CompleteInput["by"]> = new Map([
  ["ref/prompt", "name"],
  ["ref/resource", "uri"],
]);

const loadProposing = loadOnce(() => import("./propose-values.js"));

/** Proposes values for an argument. https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion#requesting-completions */
export const completionComplete: Method = defineMethod<CompleteInput>({
  name: "completion/complete",
  feature: "completions",
  parse(params = {}, { revision }) {
    const { ref, argument, context = {} } = params;
    if (!isObject(argument)) throw invalidParams("params.argument", "an object", argument);
    if (typeof argument.name !== "string") throw invalidParams("params.argument.name", "a string", argument.name);
    if (typeof argument.value !== "string") throw invalidParams("params.argument.value", "a string", argument.value);
    const settled = revision.completionContext ? parseSettled(context) : {};
    return { ...parseReference(ref), argument: argument.name, value: argument.value, settled };
  },
  run(call, input) {
    const target = findTarget(call, input);
    if (target === undefined)
      throw new JsonRpcError(RPC.invalidParams, `Unknown reference: ${input.target.slice(0, 128)}`);
    return propose(call, target, input);
  },
});

function parseSettled(context: unknown): Readonly<Record<string, string>> {
  if (!isObject(context)) throw invalidParams("params.context", "an object", context);
  const { arguments: settled = {} } = context;
  return parseStrings(settled, "params.context.arguments");
}

function parseReference(ref: unknown): Pick<CompleteInput, "by" | "target"> {
  if (!isObject(ref)) throw invalidParams("params.ref", "an object", ref);
  const by = REFERENCES.get(ref.type);
  if (by === undefined) throw invalidParams("params.ref.type", [...REFERENCES.keys()].join(" or "), ref.type);
  const target = ref[by];
  if (typeof target !== "string") throw invalidParams(`params.ref.${by}`, "a string", target);
  return { by, target };
}

/** A template goes by its text. An address that can be read is known, too, but there is nothing left in it to complete. */
function findTarget(call: Call, { by, target }: CompleteInput): Target | undefined {
  const { prompts, templates } = call.server;
  if (by === "name") return findShown(prompts, target, call);
  if (isTemplate(target)) return findShown(templates, target, call);
  return findResource(call, target) && { name: target, completers: NOTHING };
}

async function propose(call: Call, { name, completers }: Target, input: CompleteInput): Promise<JsonObject> {
  try {
    const { proposeValues } = await loadProposing();
    return await proposeValues(call, input, { completer: completers.get(input.argument), Failure: InvalidOutput });
  } catch (error) {
    throw toSentError(call, name, error);
  }
}
