/** How a check came out: as it should, in need of a look, or wrong. */
export type State = "ok" | "warning" | "failed";

/** One thing that a check found out. */
export interface Finding {
  readonly state: State;
  readonly text: string;
  /** What to do about it. */
  readonly hint?: string | undefined;
  /** What somebody else said of it, a line each. */
  readonly details?: readonly string[] | undefined;
}

/** What was found out about one subject. */
export interface Section {
  readonly title: string;
  readonly findings: readonly Finding[];
}

/** Something that is as it should be. */
export function ok(text: string): Finding {
  return { state: "ok", text };
}

/** Something that may be meant so. */
export function warning(text: string, hint?: string): Finding {
  return { state: "warning", text, hint };
}

/** Something that does not work. */
export function failed(text: string, hint?: string, details?: readonly string[]): Finding {
  return { state: "failed", text, hint, details };
}
