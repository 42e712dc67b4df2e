import { isObject } from "@mortise/core";
import { expectOption } from "./check-options.js";
import type { Registry, RegistryItem } from "./registry.js";

/** Changes one registered thing. Each change rebuilds that thing alone and announces that its list changed. */
export interface ItemHandle<Change> {
  readonly name: string;
  /** Replaces parts of the definition, or the handler. Throws like the registration, and then leaves everything as it was. */
  update(change: Change): void;
  /** Lists and serves it again. */
  enable(): void;
  /** Hides it: it is not listed, and using it is using an unknown one. */
  disable(): void;
  /** Takes it out for good. */
  remove(): void;
}

/**
 * Makes the handle of what stands at a place of a registry; without effect once another one stands there. `rebuild` makes the
 * changed thing, and may throw.
 */
export function createItemHandle<Item extends RegistryItem, Change>(
  registry: Registry<Item>,
  { name, place }: { readonly name: string; readonly place: number },
  rebuild: (item: Item, change: Change) => Item,
): ItemHandle<Change> {
  const replace = (build: (item: Item) => Item): void => {
    const item = registry.at(name, place);
    if (item !== undefined) registry.replace(build(item));
  };
  return {
    name,
    update(change) {
      expectOption(isObject(change), `the change of "${name}"`, "an object", change);
      replace((item) => rebuild(item, change));
    },
    enable: () => replace((item) => ({ ...item, enabled: true })),
    disable: () => replace((item) => ({ ...item, enabled: false })),
    remove: () => registry.remove(name, place),
  };
}
