import type { Icon } from "./content.js";
import { isObject } from "./json.js";

/** Who a client or server says it is. Shown and logged, never trusted. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly websiteUrl?: string | undefined;
  readonly icons?: readonly Icon[] | undefined;
}

/** Reads an implementation, or gives `undefined` for anything that lacks a name or a version. */
export function readImplementation(value: unknown): Implementation | undefined {
  if (!isObject(value) || typeof value.name !== "string" || typeof value.version !== "string") return undefined;
  return value as unknown as Implementation; // the other members are for display, and are passed on as they came
}
