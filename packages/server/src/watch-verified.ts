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

/** Waits for every closer look. Rejects with the first thing that is wrong. */
export async function requireVerified(items: readonly Verified[]): Promise<void> {
  for (const { verified } of items)
    for (const verification of verified) {
      const problem = await verification;
      if (problem !== undefined) throw problem;
    }
}
