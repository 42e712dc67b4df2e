import { type ClientOptions, MCPClient } from "@mortise/client";

/** What failures of the client are told apart by. */
export interface Failure extends Error {
  readonly code?: unknown;
}

/** Fails unless two values have the same JSON. Runs where there is no test runner. */
export function expectEqual(actual: unknown, expected: unknown): void {
  const [received, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (received !== wanted) throw new Error(`Expected ${wanted}, received ${received}`);
}

/** Fails unless something holds. */
export function expectTrue(holds: boolean, what: string): void {
  if (!holds) throw new Error(`Expected ${what}`);
}

/** The error that a promise rejects with; fails when it resolves. */
export async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return error;
    throw new TypeError(`Expected an Error to be thrown, received ${String(error)}`);
  }
  throw new Error("Expected a rejection");
}

/** Runs work with a client that is closed afterwards. */
export async function withClient<Result>(
  options: string | ClientOptions,
  work: (client: MCPClient) => Promise<Result>,
): Promise<Result> {
  const client = new MCPClient(options);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** Waits until something holds, which another side makes true in its own time. */
export async function eventually(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const endAt = performance.now() + 5_000;
  while (!(await holds())) {
    if (performance.now() > endAt) throw new Error(`Expected ${what} within five seconds`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
