import type { Asker } from "../../src/ask/asker.js";
import { type AskerOptions, createAsker } from "../../src/ask/create-asker.js";
import { readProviders } from "../../src/providers/configured.js";
import type { FakeProvider } from "../fake-provider/index.js";

/** What an asker told while it worked. */
export interface Told {
  readonly log: string[];
  readonly progress: string[];
}

/** Makes an asker of a provider that is the fake one, without an end of its time. */
export function askerFor(
  fake: FakeProvider,
  id: string,
  options: Partial<AskerOptions> = {},
): { readonly ask: Asker; readonly told: Told } {
  const env = options.env ?? fake.env(id);
  const told: Told = { log: [], progress: [] };
  const ask = createAsker(readProviders(env).find(id), {
    env,
    signal: new AbortController().signal,
    deadline: Number.POSITIVE_INFINITY,
    log: (line) => told.log.push(line),
    onProgress: (message) => told.progress.push(message),
    ...options,
  });
  return { ask, told };
}

/** Waits for a failure, and gives its message. */
export async function failureOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Error && error.name === "ToolFailure") return error.message;
    throw error;
  }
  throw new Error("Expected a failure, received an answer");
}
