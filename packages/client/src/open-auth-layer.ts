import { toError } from "@mortise/core";
import { type AuthLayerOptions, createAuthLayer } from "./auth-layer.js";
import type { HttpLayer } from "./platform/platform.js";

/** How many credentials are kept out of error messages: the last ones, since a server hardly shows older ones. */
const MOST_CREDENTIALS = 32;

/** Puts an authorizer around an HTTP layer. What it adds to requests joins the `secrets`. Loaded for clients that have one. */
export function openAuthLayer(options: Omit<AuthLayerOptions, "hide" | "toError">, secrets: string[]): HttpLayer {
  const shown: string[] = [];
  const hide = (secret: string): void => {
    if (secrets.includes(secret)) return;
    shown.push(secret);
    secrets.push(secret);
    const oldest = shown.length > MOST_CREDENTIALS ? shown.shift() : undefined;
    if (oldest !== undefined) secrets.splice(secrets.indexOf(oldest), 1);
  };
  return createAuthLayer({ ...options, hide, toError });
}
