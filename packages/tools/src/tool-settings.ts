import type { Environment } from "./providers/environment.js";

/** What all tools of one server have in common. */
export interface ToolSettings {
  readonly env: Environment;
  /** The provider for calls that name none. */
  readonly provider: string | undefined;
  /** Whether the client's own model may answer where no provider is configured. */
  readonly hostModel: boolean;
  /** Takes a line for the log. It holds no keys. */
  log(line: string): void;
  /** The longest time a call may take, in milliseconds. */
  readonly timeoutMs: number;
}
