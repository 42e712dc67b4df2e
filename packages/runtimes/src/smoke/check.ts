/** Where the servers of a run are. Plain data, since it travels to other runtimes. */
export interface Targets {
  /** A server that speaks every revision. */
  readonly modern: string;
  /** A server with legacy sessions, streams that resume, and no modern revision. */
  readonly legacy: string;
  /** The same server by the transport of 2024-11-05. */
  readonly sse: string;
  /** Tells which HTTP methods came to an address with the same query, as a JSON array. */
  readonly log: string;
  /** A server that wants a login, and a client that may have one for itself. */
  readonly guarded: { readonly url: string; readonly client: { readonly clientId: string; readonly secret: string } };
  /** An address where nothing listens. */
  readonly closed: string;
  /** A program that is a server, for runtimes that start processes. */
  readonly program: readonly [command: string, ...args: string[]];
  /** Whether server processes can be started: always, never, or not with the rights that the program has. */
  readonly processes: "started" | "none" | "forbidden";
}

/** One thing that a client has to do in every runtime. Fails by throwing. */
export interface Check {
  readonly name: string;
  run(targets: Targets): Promise<void>;
}

/** What became of a check; without an error it passed. */
export interface Outcome {
  readonly name: string;
  readonly error?: string | undefined;
}

/** Makes a check for a server of each era. */
export function inBothEras(name: string, run: (url: string) => Promise<void>): Check[] {
  return [
    { name: `${name} (modern)`, run: ({ modern }) => run(modern) },
    { name: `${name} (legacy)`, run: ({ legacy }) => run(legacy) },
  ];
}

/** Runs checks one after the other; one that fails does not keep the rest from running. */
export async function runChecks(checks: readonly Check[], targets: Targets): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { name, run } of checks) {
    try {
      await run(targets);
      outcomes.push({ name });
    } catch (error) {
      outcomes.push({ name, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  }
  return outcomes;
}
