import type { Identity, Session } from "../era.js";
import type { Target } from "../settings.js";
import type { ResponseStore } from "./response-cache.js";

/** Where the requests of one client go, and with whose rights. */
export interface ReadableContext {
  /** The server, whoever asks it. */
  readonly server: string;
  /** The server as a session shows it, and what this client can do: either may change what it answers. */
  describe(session: Session): string;
  /** Whose rights requests have now; `undefined` when that is not known. */
  rights(): Promise<string | undefined>;
}

/** Reads whom a client asks, and with whose rights. Secrets go into it as digests. */
export function createContext(target: Target, identity: Identity, store: ResponseStore): ReadableContext {
  const descriptions = new WeakMap<Session, string>();
  // What is behind a pipe is known to nobody else.
  const server = target.kind === "http" ? target.url.href : store.nameOf(target);
  let configured: Promise<string> | undefined;
  return {
    server,
    describe(session) {
      let text = descriptions.get(session);
      if (text === undefined) {
        const { name, version } = session.server.serverInfo ?? {};
        const able = identity.describe(session.revision);
        const extensions = [...identity.extensions].map(([id, { settings }]) => [id, settings]);
        text = JSON.stringify([server, session.revision.id, name, version, able, extensions]);
        descriptions.set(session, text);
      }
      return text;
    },
    async rights() {
      if (target.kind !== "http") return "";
      const { auth, fetch, headers, url } = target;
      const granted = auth === undefined ? "" : auth.context?.(url);
      configured ??= digestHeaders(headers.list, store);
      const own = await configured;
      // A function of the caller's own may add credentials: what it got is for those who use the same one.
      return granted === undefined
        ? undefined
        : JSON.stringify([own, granted, fetch === undefined ? "" : store.nameOf(fetch)]);
    },
  };
}

async function digestHeaders(list: readonly string[], store: ResponseStore): Promise<string> {
  if (list.length === 0) return "";
  const { subtle }: Partial<typeof globalThis.crypto> = globalThis.crypto; // missing in pages without TLS
  if (subtle === undefined) return store.nameOf(list);
  const bytes = await subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(list)));
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}
