import type { Environment } from "../providers/environment.js";
import type { Provider } from "../providers/provider.js";
import { ToolFailure } from "../tool-failure.js";
import type { Asker } from "./asker.js";

/** What an asker has to keep to. */
export interface AskerOptions {
  readonly env: Environment;
  readonly signal: AbortSignal;
  log(line: string): void;
  onProgress(message: string): void;
  /** When the time is over, by `performance.now()`. */
  readonly deadline: number;
}

/** Makes what asks one provider. */
export function createAsker(provider: Provider, _options: AskerOptions): Asker {
  const refuse = (): Promise<never> => Promise.reject(new ToolFailure(`${provider.label} cannot be asked`));
  return { text: refuse, json: refuse, image: refuse };
}
