import type { EraName } from "@mortise/core";
import { createLegacyDoor, LEGACY_ROOM } from "./legacy/index.js";
import { MODERN_ROOM } from "./modern/index.js";
import type { Room } from "./room.js";

export { createLegacyDoor };

/** The room of each era. The only file that knows both. */
export const ROOMS: Readonly<Record<EraName, Room>> = { modern: MODERN_ROOM, legacy: LEGACY_ROOM };
