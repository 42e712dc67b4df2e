import type { JsonObject } from "@mortise/server";
import type { Client } from "../client.js";

/** Every page of a list, from the first to the last. */
export async function listAll(
  client: Client,
  method: string,
  member: string,
): Promise<{ readonly pages: number; readonly items: readonly JsonObject[] }> {
  const items: JsonObject[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const { result } = await client.ask(method, cursor === undefined ? {} : { cursor });
    items.push(...result[member]);
    cursor = result.nextCursor;
    pages += 1;
  } while (cursor !== undefined);
  return { pages, items };
}
