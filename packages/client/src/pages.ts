import { type JsonObject, MortiseError } from "@mortise/core";

/** More pages than this are a server that never ends its list. */
const MOST_PAGES = 1_000;

/** How the pages of one list are fetched. */
export interface PageSource {
  /** The method, for messages. */
  readonly method: string;
  fetchPage(cursor: string | undefined): Promise<JsonObject>;
  onProblem(problem: Error): void;
}

/**
 * Gives every page of a list. Ends, and reports, where a server gives a cursor that it gave before. Throws
 * `invalid_response` for a list that does not end.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 */
export async function* walkPages({ method, fetchPage, onProblem }: PageSource): AsyncGenerator<JsonObject, void, void> {
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await fetchPage(cursor);
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
