import type { Asker } from "../ask/asker.js";
import { expectText } from "../prompt/expect-text.js";
import type { Provider } from "../providers/provider.js";
import { ToolFailure } from "../tool-failure.js";
import type { Run, RunContext } from "../tool-spec.js";
import type { ConsensusArgs } from "../tools/consensus.js";

/** What one provider gave: a text, or the reason why there is none. */
interface Answer {
  readonly provider: string;
  readonly label: string;
  readonly model?: string;
  readonly text?: string;
  readonly error?: string;
}

/** Asks all providers at once. One that fails does not take the others' answers along; where all fail, the call does. */
export const run: Run<ConsensusArgs> = async ({ prompt, providers, provider }, context) => {
  expectText("prompt", prompt);
  const named = [...new Set([...(providers ?? []), ...(provider === undefined ? [] : [provider])])];
  const ids = named.length > 0 ? named : context.providers.configured.filter(({ text }) => text).map(({ id }) => id);
  let answered = 0;
  const asked = ids.map(async (id) => {
    const answer = await askOne(id, prompt, context);
    answered += 1;
    context.progress(`${answered} of ${ids.length} providers have answered`);
    return answer;
  });
  // With no provider at all, this is the client's own model, or the failure that says what to set.
  const answers = ids.length === 0 ? [await askHost(prompt, context)] : await Promise.all(asked);
  if (answers.every(({ text }) => text === undefined))
    throw new ToolFailure(
      `No provider answered\n${answers.map(({ label, error }) => `${label}: ${error}`).join("\n")}`,
    );
  return {
    content: answers.map((answer) => ({ type: "text", text: writeAnswer(answer) })),
    structuredContent: { answers: answers.map(({ label: _label, ...rest }) => rest) },
  };
};

async function askOne(id: string, prompt: string, { providers, askOf, signal }: RunContext): Promise<Answer> {
  const { label = id, model } = providers.all.find((each) => each.id === id) ?? {};
  const who = { provider: id, label, ...(model === undefined ? {} : { model }) };
  try {
    const asker = openAsker(askOf, providers.find(id));
    return { ...who, ...(await asker.text({ prompt })) };
  } catch (error) {
    // Of a call that its time ended, the answers that came are given; of one that was cancelled, nothing.
    if (signal.aborted && !(signal.reason instanceof ToolFailure)) throw signal.reason;
    if (error instanceof ToolFailure) return { ...who, error: error.message };
    throw error;
  }
}

function openAsker(askOf: RunContext["askOf"], provider: Provider): Asker {
  if (provider.text) return askOf(provider);
  throw new ToolFailure(`${provider.label} only makes images`);
}

async function askHost(prompt: string, { ask }: RunContext): Promise<Answer> {
  return { provider: "client", label: "The client's model", ...(await ask.text({ prompt })) };
}

function writeAnswer({ label, model, text, error }: Answer): string {
  const head = model === undefined ? label : `${label} (${model})`;
  return text === undefined ? `${head} gave no answer: ${error}` : `${head}:\n\n${text}`;
}
