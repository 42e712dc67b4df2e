import type { HandlerContext, ToolResult, ToolReturn } from "@mortise/server";
import type { Asker } from "./ask/asker.js";
import { createAsker } from "./ask/create-asker.js";
import { createHostAsker } from "./ask/host-model.js";
import { describeNone, readProviders } from "./providers/configured.js";
import type { Provider } from "./providers/provider.js";
import { createReporter, type Reporter } from "./report-progress.js";
import { ToolFailure } from "./tool-failure.js";
import type { ToolSettings } from "./tool-settings.js";
import type { RunContext, ToolSpec } from "./tool-spec.js";

/** Who called, and what the server's tools have in common. */
export interface CallParts {
  readonly context: HandlerContext;
  readonly settings: ToolSettings;
}

/** Runs a tool within its time. Whatever its user can act on becomes a result with `isError`. */
export async function callTool(
  spec: ToolSpec,
  args: Readonly<Record<string, unknown>>,
  parts: CallParts,
): Promise<ToolReturn<undefined> | ToolResult> {
  const { context, settings } = parts;
  const deadline = new AbortController();
  const timer = setTimeout(() => {
    deadline.abort(
      new ToolFailure(`Expected an answer within ${settings.timeoutMs / 1000} seconds: asking for less may help`),
    );
  }, settings.timeoutMs);
  const signal = AbortSignal.any([context.signal, deadline.signal]);
  const reporter = createReporter(context);
  try {
    const { provider: id, ...rest } = args;
    const { run } = await spec.load();
    // The arguments were checked against the tool's own schema.
    return await run(
      (spec.needs === "nothing" ? args : rest) as never,
      createRunContext(spec, id, { ...parts, signal, reporter }),
    );
  } catch (error) {
    if (error instanceof ToolFailure) return { content: [{ type: "text", text: error.message }], isError: true };
    throw error;
  } finally {
    clearTimeout(timer);
    reporter.stop();
  }
}

interface RunParts extends CallParts {
  readonly signal: AbortSignal;
  readonly reporter: Reporter;
}

function createRunContext(spec: ToolSpec, id: unknown, parts: RunParts): RunContext {
  const { settings, signal, reporter } = parts;
  const { env, log } = settings;
  const providers = readProviders(env);
  const deadline = performance.now() + settings.timeoutMs;
  const askOf = (provider: Provider): Asker =>
    createAsker(provider, { env, signal, log, onProgress: reporter.tell, deadline });
  const { provider, ask } = chooseAsker(spec, id, { ...parts, providers, askOf });
  return { ask, provider, providers, preferred: settings.provider, askOf, signal, progress: reporter.tell };
}

interface Choice {
  readonly provider: Provider | undefined;
  readonly ask: Asker;
}

function chooseAsker(
  { needs = "text" }: ToolSpec,
  id: unknown,
  { settings, context, signal, reporter, providers, askOf }: RunParts & Pick<RunContext, "askOf" | "providers">,
): Choice {
  const named = typeof id === "string" || settings.provider !== undefined;
  const hostAnswers = settings.hostModel && providers.default === undefined && context.can("sample");
  if (needs !== "image" && !named && hostAnswers)
    return { provider: undefined, ask: createHostAsker(context, { signal, onProgress: reporter.tell }) };
  if (needs === "nothing") return { provider: undefined, ask: createMute(describeNone("text")) };
  const provider = chooseProvider(needs, typeof id === "string" ? id : undefined, {
    providers,
    preferred: settings.provider,
  });
  return { provider, ask: askOf(provider) };
}

/** The provider that a call names has to do what is wanted; the one that the server prefers is passed over where it does not. */
function chooseProvider(
  needs: "text" | "image",
  id: string | undefined,
  { providers, preferred }: Pick<RunContext, "providers" | "preferred">,
): Provider {
  if (id !== undefined) return providers.find(id);
  if (needs === "text" && preferred !== undefined) return providers.find(preferred);
  if (needs === "text") return providers.default ?? refuse(needs);
  const able = providers.configured.filter(({ imageModel }) => imageModel !== undefined);
  return able.find((each) => each.id === preferred) ?? able[0] ?? refuse(needs);
}

function refuse(needs: "text" | "image"): never {
  throw new ToolFailure(describeNone(needs));
}

/** Answers for tools that ask nobody. */
function createMute(message: string): Asker {
  const fail = (): Promise<never> => Promise.reject(new ToolFailure(message));
  return { text: fail, json: fail, image: fail };
}
