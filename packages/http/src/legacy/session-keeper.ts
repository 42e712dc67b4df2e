import type { SessionParts } from "./index.js";
import { MemorySessions } from "./memory-sessions.js";
import { createRandomId, isRandomId } from "./random-id.js";
import { createSealedKeeper } from "./sealed-keeper.js";
import type { SessionRecord, SessionStore } from "./session-store.js";

/** How sessions are remembered. */
export interface SessionKeeper {
  /** Whether requests behind the opening need an id. */
  readonly required: boolean;
  /** Whether there is room for one more session. @default there always is */
  hasRoom?(): boolean;
  /** Opens a session. Gives its id, or nothing where it cannot have one. */
  open(opened: Omit<SessionRecord, "id">): string | undefined | Promise<string | undefined>;
  find(id: string): SessionRecord | undefined | Promise<SessionRecord | undefined>;
  /** Says that a session is in use. */
  renew?(record: SessionRecord): void | Promise<void>;
  /** Changes what is remembered. Left out where nothing can be changed. */
  change?(id: string, edit: (record: SessionRecord) => SessionRecord): void | Promise<void>;
  /** Ends a session. Left out where sessions end by themselves alone. Tells whether there was one. */
  end?(id: string): boolean | Promise<boolean>;
}

/** Makes the keeper that the options ask for. Gives nothing where nothing is to be remembered. */
export function createKeeper(parts: SessionParts, isBusy: (id: string) => boolean): SessionKeeper | undefined {
  const { store, mintsIds, maxSessions, idleTimeout } = parts.settings;
  if (store === undefined) return mintsIds ? createSealedKeeper(parts) : undefined;
  if (store !== "memory") return createStoredKeeper(store, idleTimeout);
  const memory = new MemorySessions({ maxSessions, isBusy });
  const keeper = createStoredKeeper(memory, idleTimeout);
  return {
    ...keeper,
    hasRoom: () => memory.hasRoom,
    open(opened) {
      memory.makeRoom();
      return keeper.open(opened);
    },
  };
}

function createStoredKeeper(store: SessionStore, idleTimeout: number): SessionKeeper {
  // Two changes of one session must not overwrite each other; those of other processes are too far away to wait for.
  const changing = new Map<string, Promise<void>>();
  const change = async (id: string, edit: (record: SessionRecord) => SessionRecord): Promise<void> => {
    const record = await store.get(id);
    if (record !== undefined) await store.set(id, edit(record), idleTimeout);
  };
  const changeInTurn = (id: string, edit: (record: SessionRecord) => SessionRecord): Promise<void> => {
    const before = changing.get(id) ?? Promise.resolve();
    const changed = before.then(() => change(id, edit));
    const settled = changed.then(
      () => undefined,
      () => undefined, // whoever asked for the change is told
    );
    changing.set(id, settled);
    void settled.then(() => {
      if (changing.get(id) === settled) changing.delete(id);
    });
    return changed;
  };
  return {
    required: true,
    open(opened) {
      const id = createRandomId();
      const stored = store.set(id, { ...opened, id }, idleTimeout);
      return stored === undefined ? id : stored.then(() => id);
    },
    find: (id) => (isRandomId(id) ? store.get(id) : undefined),
    // What the request found may have been changed since, so that it must not be set as it was.
    renew: ({ id }) => (store.touch ? store.touch(id, idleTimeout) : changeInTurn(id, (record) => record)),
    change: changeInTurn,
    end: (id) => store.delete(id),
  };
}
