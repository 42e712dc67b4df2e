import { invalidParams, isObject, type JsonObject, JsonRpcError, type Revision, RPC } from "@mortise/core";
import type { Call } from "./call.js";
import { MembersText } from "./outcome.js";
import type { Registry, RegistryItem } from "./registry.js";
import type { CacheHint } from "./server-options.js";
import { isShown } from "./visible.js";

/** A list of registered things, as pages of JSON text that are kept until something changes. */
export interface ListPages {
  /** One page of what the caller may see, in the shape of its revision. Throws a `JsonRpcError` (-32602) for a cursor that was never given out. */
  page(call: Call, cursor: string | undefined): MembersText;
  /** How the pages may be kept by others: never shared while what is listed depends on the caller. */
  hint(usual: CacheHint): CacheHint;
  /** Forgets every page. */
  clear(): void;
}

type ListedItem = RegistryItem & { listed(revision: Revision): string };

/** Callers that see the same share their pages. There can be as many sets as callers, so the one unused for longest gives way. */
const MOST_SETS = 64;
const NOTHING: ReadonlySet<RegistryItem> = new Set();

/** Makes the pages of a list. `member` is the name of the list in results; `pageSize` may be `Infinity`. */
export function createListPages<Item extends ListedItem>(
  registry: Registry<Item>,
  member: string,
  pageSize: number,
): ListPages {
  const sets = new Map<string, PagesByRevision>();
  let guarded: readonly Item[] | undefined;

  /** The items that not everybody sees. */
  function listGuarded(): readonly Item[] {
    guarded ??= registry.page(0, Number.POSITIVE_INFINITY).items.filter(({ visible }) => visible !== undefined);
    return guarded;
  }

  function findHidden(call: Call): ReadonlySet<RegistryItem> {
    const candidates = listGuarded();
    return candidates.length === 0 ? NOTHING : new Set(candidates.filter((item) => !isShown(item, call)));
  }

  function build(call: Call, after: number, hidden: ReadonlySet<RegistryItem>): BuiltPage {
    const { items, last, more } = registry.page(after, pageSize, hidden);
    const entries = items.map((item) => item.listed(call.revision)).join(",");
    const cursor = more ? `,"nextCursor":${JSON.stringify(encodeCursor(member, last))}` : "";
    return { text: new MembersText(`${JSON.stringify(member)}:[${entries}]${cursor}`), next: more ? last : undefined };
  }

  return {
    page(call, cursor) {
      const after = cursor === undefined ? 0 : decodeCursor(member, cursor);
      const hidden = findHidden(call);
      const pages = keepPages(sets, nameSet(listGuarded(), hidden), call.revision);
      const known = pages.texts.get(after);
      if (known !== undefined) return known;
      const { text, next } = build(call, after, hidden);
      // A caller can name any place, but only pages that follow one another from the first are worth keeping.
      if (pages.starts.has(after)) {
        pages.texts.set(after, text);
        if (next !== undefined) pages.starts.add(next);
      }
      return text;
    },
    hint: (usual) => (listGuarded().length === 0 ? usual : { ...usual, scope: "private" }),
    clear() {
      sets.clear();
      guarded = undefined;
    },
  };
}

interface BuiltPage {
  readonly text: MembersText;
  /** The place after which the next page begins. */
  readonly next: number | undefined;
}

interface KeptPages {
  readonly texts: Map<number, MembersText>;
  readonly starts: Set<number>;
}

type PagesByRevision = Map<Revision, KeptPages>;

/** One character for each item that not everybody sees. */
function nameSet(guarded: readonly RegistryItem[], hidden: ReadonlySet<RegistryItem>): string {
  return guarded.length === 0 ? "" : guarded.map((item) => (hidden.has(item) ? "-" : "+")).join("");
}

function keepPages(sets: Map<string, PagesByRevision>, name: string, revision: Revision): KeptPages {
  const set = keepSet(sets, name);
  let pages = set.get(revision);
  if (pages === undefined) {
    pages = { texts: new Map(), starts: new Set([0]) };
    set.set(revision, pages);
  }
  return pages;
}

function keepSet(sets: Map<string, PagesByRevision>, name: string): PagesByRevision {
  const known = sets.get(name);
  if (known !== undefined && sets.size === 1) return known;
  const set: PagesByRevision = known ?? new Map();
  sets.delete(name);
  sets.set(name, set); // a map keeps its order: now it is the newest
  const [oldest = name] = sets.keys();
  if (sets.size > MOST_SETS) sets.delete(oldest);
  return set;
}

/** Reads the params of a list request. Throws a `JsonRpcError` (-32602) when the cursor is not a string. */
export function parseListInput(params: JsonObject | undefined): { readonly cursor: string | undefined } {
  const cursor = isObject(params) ? params.cursor : undefined;
  if (cursor !== undefined && typeof cursor !== "string") throw invalidParams("params.cursor", "a string", cursor);
  return { cursor };
}

/** A cursor for a place in a list, which no other list understands. */
export function encodeCursor(member: string, position: number): string {
  return btoa(`${member}:${position}`).replaceAll("=", "");
}

function decodeCursor(member: string, cursor: string): number {
  const position = readPosition(member, cursor);
  if (position === undefined)
    throw new JsonRpcError(RPC.invalidParams, 'Expected "params.cursor" to be a cursor of an earlier page');
  return position;
}

/** The place that a cursor of a list stands for; `undefined` where it is none of that list. */
export function readPosition(member: string, cursor: string): number | undefined {
  if (!/^[A-Za-z0-9+/]{1,64}$/.test(cursor) || cursor.length % 4 === 1) return undefined;
  const [, digits] = new RegExp(`^${member}:([1-9]\\d{0,14})$`).exec(atob(cursor)) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
