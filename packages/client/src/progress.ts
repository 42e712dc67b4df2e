import type { JsonObject } from "@mortise/core";
import type { Progress } from "./options.js";

/** Reads the params of `notifications/progress`; `undefined` when they do not say how far the server is. */
export function readProgress({ progress, total, message }: JsonObject): Progress | undefined {
  if (typeof progress !== "number") return undefined;
  return {
    progress,
    total: typeof total === "number" ? total : undefined,
    message: typeof message === "string" ? message : undefined,
  };
}
