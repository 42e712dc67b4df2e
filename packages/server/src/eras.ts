import type { Era } from "./era.js";
import { createLegacyEra } from "./legacy/index.js";
import { createModernEra } from "./modern/index.js";
import type { ServerCore } from "./server-core.js";

/** Both eras of one server. This is the only file that knows both. */
export interface Eras {
  readonly modern: Era;
  readonly legacy: Era;
}

/** Makes both eras for a server. */
export function createEras(server: ServerCore): Eras {
  return { modern: createModernEra(server), legacy: createLegacyEra(server) };
}
