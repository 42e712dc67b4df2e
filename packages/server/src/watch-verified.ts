import type { MortiseError } from "@mortise/core";
import type { ServerCore } from "./server-core.js";

/** A registered thing with schemas that may take a closer look. */
export interface Verified {
  readonly name: string;
  /** Resolve with what is wrong, where something is. */
  readonly verified: readonly (Promise<MortiseError | undefined> | undefined)[];
}

/** A schema that must not be used is told to the owner as soon as it is known, whether or not anyone listens. */
export function watchVerified(core: ServerCore, { name, verified }: Verified): void {
  for (const verification of verified) void verification?.then((problem) => problem && core.report(problem, { name }));
}

/** The closer looks that are taken, to be waited for. There are none to most servers. */
export function listVerifications({ tools, prompts }: ServerCore): readonly Promise<MortiseError | undefined>[] {
  const all = Number.POSITIVE_INFINITY;
  const items: readonly Verified[] = [...tools.page(0, all).items, ...prompts.page(0, all).items];
  return items.flatMap(({ verified }) => verified).filter((verification) => verification !== undefined);
}
