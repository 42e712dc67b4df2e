import { invalidParams, isLogLevel, LOG_LEVELS, type LogLevel } from "@mortise/core";
import { defineMethod, type Method } from "../method.js";
import { MembersText } from "../outcome.js";

const EMPTY = new MembersText("");

/** Remembers from which severity on the client wants log messages. https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging */
export const setLevel: Method = defineMethod<LogLevel>({
  name: "logging/setLevel",
  parse(params) {
    const level = params?.level;
    if (!isLogLevel(level)) throw invalidParams("params.level", `one of ${LOG_LEVELS.join(", ")}`, level);
    return level;
  },
  run({ carrier }, logLevel) {
    if (carrier.agreement !== undefined) carrier.agree?.({ ...carrier.agreement, logLevel });
    return EMPTY;
  },
});
