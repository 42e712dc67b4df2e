import { invalidParams, isObject, type JsonObject, JsonRpcError, type Revision, RPC } from "@mortise/core";
import { MembersText } from "./outcome.js";
import type { Registry, RegistryItem } from "./registry.js";

/** A list of registered things, as pages of JSON text that are kept until something changes. */
export interface ListPages {
  /** One page in the shape of a revision. Throws a `JsonRpcError` (-32602) for a cursor that it never gave out. */
  page(revision: Revision, cursor: string | undefined): MembersText;
  /** Forgets every page. */
  clear(): void;
}

/** Makes the pages of a list. `member` is the name of the list in results; `pageSize` may be `Infinity`. */
export function createListPages<Item extends RegistryItem & { listed(revision: Revision): string }>(
  registry: Registry<Item>,
  member: string,
  pageSize: number,
): ListPages {
  const kept = new Map<Revision, KeptPages>();

  function build(revision: Revision, after: number): { readonly text: MembersText; readonly next: number | undefined } {
    const { items, last, more } = registry.page(after, pageSize);
    const entries = items.map((item) => item.listed(revision)).join(",");
    const cursor = more ? `,"nextCursor":${JSON.stringify(encodeCursor(member, last))}` : "";
    return { text: new MembersText(`${JSON.stringify(member)}:[${entries}]${cursor}`), next: more ? last : undefined };
  }

  return {
    page(revision, cursor) {
      const after = cursor === undefined ? 0 : decodeCursor(member, cursor);
      let pages = kept.get(revision);
      if (pages === undefined) {
        pages = { texts: new Map(), starts: new Set([0]) };
        kept.set(revision, pages);
      }
      const known = pages.texts.get(after);
      if (known !== undefined) return known;
      const { text, next } = build(revision, after);
      // A caller can name any place, but only pages that follow one another from the first are worth keeping.
      if (pages.starts.has(after)) {
        pages.texts.set(after, text);
        if (next !== undefined) pages.starts.add(next);
      }
      return text;
    },
    clear() {
      kept.clear();
    },
  };
}

interface KeptPages {
  readonly texts: Map<number, MembersText>;
  readonly starts: Set<number>;
}

/** Reads the params of a list request. Throws a `JsonRpcError` (-32602) when the cursor is not a string. */
export function parseListInput(params: JsonObject | undefined): { readonly cursor: string | undefined } {
  const cursor = isObject(params) ? params.cursor : undefined;
  if (cursor !== undefined && typeof cursor !== "string") throw invalidParams("params.cursor", "a string", cursor);
  return { cursor };
}

function encodeCursor(member: string, position: number): string {
  return btoa(`${member}:${position}`).replaceAll("=", "");
}

function decodeCursor(member: string, cursor: string): number {
  const position = readPosition(member, cursor);
  if (position === undefined)
    throw new JsonRpcError(RPC.invalidParams, 'Expected "params.cursor" to be a cursor of an earlier page');
  return position;
}

function readPosition(member: string, cursor: string): number | undefined {
  if (!/^[A-Za-z0-9+/]{1,64}$/.test(cursor) || cursor.length % 4 === 1) return undefined;
  const [, digits] = new RegExp(`^${member}:([1-9]\\d{0,14})$`).exec(atob(cursor)) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
