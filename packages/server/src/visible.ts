import { describeType, isThenable } from "@mortise/core";
import type { Call } from "./call.js";
import { expectOption } from "./check-options.js";
import type { Registry, RegistryItem } from "./registry.js";

/** Who asks, as far as lists may depend on it: what an authorization check found, and nothing of the connection. */
export interface Caller {
  /** Who it is, or `undefined` where nobody checked. */
  readonly principal: string | undefined;
  /** What the authorization check found. */
  readonly auth: unknown;
}

/**
 * Tells whether a caller may know of something. Where it says no, the thing is not listed, and using it is using an unknown one.
 * What it throws hides the thing and goes to `onError`.
 */
export type Visible = (caller: Caller) => boolean;

/** Reads the option of a definition. Throws `invalid_options`. */
export function readVisible(visible: unknown, where: string): Visible | undefined {
  expectOption(visible === undefined || typeof visible === "function", `"visible" of ${where}`, "a function", visible);
  return visible as Visible | undefined; // checked just now
}

/** The item of a name, if it is served to the caller. */
export function findShown<Item extends RegistryItem>(
  registry: Registry<Item>,
  name: unknown,
  call: Call,
): Item | undefined {
  const item = typeof name === "string" ? registry.get(name) : undefined;
  return item?.enabled === true && isShown(item, call) ? item : undefined;
}

/** Whether the caller may know of an item. */
export function isShown(item: RegistryItem, call: Call): boolean {
  return item.visible === undefined || decide(item.visible, item.name, call);
}

/** What gives no clear yes hides the item: a promise, too, would be true to a careless check. */
function decide(visible: Visible, name: string, call: Call): boolean {
  const about = { method: call.request.method, name };
  try {
    const { principal, auth } = call.carrier;
    const verdict: unknown = visible({ principal, auth });
    if (typeof verdict === "boolean") return verdict;
    if (isThenable(verdict)) verdict.then(undefined, (error: unknown) => call.server.report(error, about));
    throw new TypeError(`Expected "visible" of "${name}" to return true or false, received ${describeType(verdict)}`);
  } catch (error) {
    call.server.report(error, about);
    return false;
  }
}
