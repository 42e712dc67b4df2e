import type { Members } from "./server-answer.js";

/** The end of time, as dates know it: later ones could not be compared. */
const MOST_SECONDS = 8_000_000_000_000;

/** Brings the members of a token answer into the form that a strict reader expects. What remains wrong is left for it to refuse. */
export function normalizeToken(members: Members): Members {
  const { access_token, token_type, refresh_token, scope, issued_token_type } = members;
  const all = {
    access_token,
    token_type,
    expires_in: readSeconds(members.expires_in),
    refresh_token: refresh_token === "" ? undefined : refresh_token,
    scope: readScope(scope),
    issued_token_type,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function readScope(scope: unknown): unknown {
  if (Array.isArray(scope)) return scope.filter((one) => typeof one === "string").join(" ");
  return scope === "" ? undefined : scope;
}

/** A number of seconds, however it is written. Negative ones are over. */
function readSeconds(value: unknown): unknown {
  if (value === undefined || value === "") return undefined;
  const seconds = typeof value === "string" ? Number(value) : value;
  if (typeof seconds !== "number" || Number.isNaN(seconds)) return "not a number";
  return Math.min(Math.max(seconds, 0), MOST_SECONDS);
}
