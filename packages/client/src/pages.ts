import { type JsonObject, JsonRpcError, MortiseError, RPC } from "@mortise/core";
import type { Call } from "./connection.js";
import type { RequestOptions } from "./options.js";

/** More pages than this are a server that never ends its list. */
const MOST_PAGES = 1_000;

/** How the pages of one list are fetched. */
export interface PageSource {
  /** The method, for messages. */
  readonly method: string;
  fetchPage(cursor: string | undefined): Promise<JsonObject>;
  /** The server does not know a cursor any more, so the list is begun anew: the pages so far are of no use. */
  onRestart(): void;
  onProblem(problem: Error): void;
}

/**
 * Gives every page of a list. Ends, and reports, where a server gives a cursor that it gave before. Begins anew, once, where a
 * server does not know its own cursor any more. Throws `invalid_response` for a list that does not end.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 */
export async function* walkPages(source: PageSource): AsyncGenerator<JsonObject, void, void> {
  const { method, fetchPage, onProblem } = source;
  const seen = new Set<string>();
  let hasRestarted = false;
  let cursor: string | undefined;
  do {
    let page: JsonObject;
    try {
      page = await fetchPage(cursor);
    } catch (error) {
      const isUnknown = error instanceof JsonRpcError && error.code === RPC.invalidParams && cursor !== undefined;
      if (!isUnknown || hasRestarted) throw error;
      hasRestarted = true;
      seen.clear();
      source.onRestart();
      page = await fetchPage(undefined);
    }
    yield page;
    // An empty string is a cursor like any other.
    cursor = typeof page.nextCursor === "string" ? page.nextCursor : undefined;
    if (cursor !== undefined && seen.has(cursor)) {
      onProblem(new MortiseError("invalid_response", `The server gave the same cursor twice; "${method}" ends there`));
      return;
    }
    if (cursor !== undefined) seen.add(cursor);
    if (seen.size >= MOST_PAGES)
      throw new MortiseError("invalid_response", `Expected at most ${MOST_PAGES} pages of "${method}"`);
  } while (cursor !== undefined);
}

/** Which list is fetched, and how. */
export interface PageRequest {
  readonly method: string;
  readonly options: RequestOptions | undefined;
  readonly client: ListClient;
}

/** Who fetches lists. */
export interface ListClient {
  run(call: Call): Promise<JsonObject>;
  /** What was kept of the list is of no use. */
  forget(method: string): void;
  onProblem(problem: Error): void;
}

/** Fetches the pages of a list with requests. `empty` stands for the list of a server that does not know the method. */
export function createSource({ method, options, client }: PageRequest, empty?: JsonObject): PageSource {
  return {
    method,
    onRestart: () => client.forget(method),
    onProblem: client.onProblem,
    async fetchPage(cursor) {
      try {
        return await client.run({ method, params: cursor === undefined ? undefined : { cursor }, options });
      } catch (error) {
        const isMissing = error instanceof JsonRpcError && error.code === RPC.methodNotFound;
        if (cursor === undefined && isMissing && empty !== undefined) return empty;
        throw error;
      }
    },
  };
}
