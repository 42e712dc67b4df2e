import type { JsonObject } from "@mortise/core";
import type { SessionParts } from "./index.js";
import { shortenInfo } from "./remembered-client.js";
import type { SessionKeeper } from "./session-keeper.js";
import type { SessionRecord } from "./session-store.js";

/** What the tokens are sealed for. */
const PURPOSE = "session";
/** Headers have to stay far from what servers and proxies take, which is 8 KiB altogether at the least. */
const MAX_LENGTH = 4096;

/** Keeps sessions in their own ids: sealed tokens, which every process with the same keys can open. Nothing is stored. */
export function createSealedKeeper({ server, settings, isObject }: SessionParts): SessionKeeper {
  const { sealer } = server.inside.core;
  return {
    required: false,
    async open({ principal, revision, clientInfo, capabilities }) {
      const payload: JsonObject = {
        revision,
        capabilities,
        ...(principal === undefined ? {} : { principal }),
        ...(clientInfo === undefined ? {} : { clientInfo: shortenInfo(clientInfo) }),
      };
      const token = await sealer.seal(PURPOSE, payload, { ttl: settings.idleTimeout, reusable: true });
      return token.length > MAX_LENGTH ? undefined : token;
    },
    async find(id) {
      const payload = await sealer.open(PURPOSE, id);
      if (payload === undefined || !isObject(payload.capabilities)) return undefined;
      return { ...payload, id, watched: [] } as unknown as SessionRecord; // sealed above
    },
  };
}
