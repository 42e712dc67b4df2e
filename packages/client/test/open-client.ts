import { type ClientOptions, MCPClient } from "@mortise/client";
import { onTestFinished } from "vitest";

/** Makes a client that ends with the test. */
export function openClient(options: string | ClientOptions): MCPClient {
  const client = new MCPClient(options);
  onTestFinished(() => client.close());
  return client;
}

/** Collects what a client reports without failing. */
export function collectProblems(): { readonly problems: Error[]; readonly onError: (problem: Error) => void } {
  const problems: Error[] = [];
  return { problems, onError: (problem) => void problems.push(problem) };
}

/** The error a promise rejects with; fails when it does not. */
export async function failureOf(promise: Promise<unknown>): Promise<Error & { code?: unknown; data?: unknown }> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return error;
    throw new TypeError("Expected an Error to be thrown");
  }
  throw new TypeError("Expected a rejection");
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
