import { CALLING } from "./calling.js";
import type { Check } from "./check.js";
import { CONNECTING } from "./connecting.js";
import { FEATURES } from "./features.js";
import { LOGGING_IN } from "./logging-in.js";

/** Everything that a client has to do in every runtime. */
export const SUITE: readonly Check[] = [...CONNECTING, ...CALLING, ...FEATURES, ...LOGGING_IN];
