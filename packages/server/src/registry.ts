import { MortiseError } from "@mortise/core";
import type { Visible } from "./visible.js";

/** What a registry holds: named, and either served or hidden. */
export interface RegistryItem {
  readonly name: string;
  readonly enabled: boolean;
  /** Tells who may know of it. @default everybody */
  readonly visible?: Visible | undefined;
}

interface Slot<Item> {
  /** Counts up with each registration, so that a place in the list survives changes around it. */
  readonly position: number;
  item: Item;
}

/** Named things in the order they were registered. */
export class Registry<Item extends RegistryItem> {
  readonly #slots = new Map<string, Slot<Item>>();
  readonly #kind: string;
  readonly #onChange: () => void;
  #positions = 0;
  #served: readonly Item[] | undefined;

  /** `kind` names the things in errors; `onChange` runs after every change. */
  constructor(kind: string, onChange: () => void) {
    this.#kind = kind;
    this.#onChange = () => {
      this.#served = undefined;
      onChange();
    };
  }

  /** Whether anything was ever registered, even if it is gone. */
  get used(): boolean {
    return this.#positions > 0;
  }

  /** The item of a name, hidden ones included. */
  get(name: string): Item | undefined {
    return this.#slots.get(name)?.item;
  }

  /** The item of a name, if it is still the one registered at a place and not a later one. */
  at(name: string, place: number): Item | undefined {
    const slot = this.#slots.get(name);
    return slot?.position === place ? slot.item : undefined;
  }

  /** Registers an item and gives its place. Throws `duplicate_name` when the name is taken. */
  add(item: Item): number {
    if (this.#slots.has(item.name))
      throw new MortiseError(
        "duplicate_name",
        `Expected a new name, ${this.#kind} "${item.name}" is already registered`,
      );
    this.#positions += 1;
    const position = this.#positions;
    this.#slots.set(item.name, { position, item });
    this.#onChange();
    return position;
  }

  /** Puts another item in the place of one, or does nothing when that one is gone. */
  replace(item: Item): void {
    const slot = this.#slots.get(item.name);
    if (slot === undefined) return;
    slot.item = item;
    this.#onChange();
  }

  /** Takes the item of a place out, or does nothing when that one is gone. */
  remove(name: string, place: number): void {
    if (this.at(name, place) !== undefined && this.#slots.delete(name)) this.#onChange();
  }

  /** The served items, in their order. */
  served(): readonly Item[] {
    this.#served ??= [...this.#slots.values()].map(({ item }) => item).filter(({ enabled }) => enabled);
    return this.#served;
  }

  /** Up to `limit` served items that come after a position and are not `hidden`, and whether more follow. */
  page(
    after: number,
    limit: number,
    hidden?: ReadonlySet<RegistryItem>,
  ): { readonly items: readonly Item[]; readonly last: number; readonly more: boolean } {
    const items: Item[] = [];
    let last = after;
    for (const { position, item } of this.#slots.values()) {
      if (position <= after || !item.enabled || hidden?.has(item)) continue;
      if (items.length === limit) return { items, last, more: true };
      items.push(item);
      last = position;
    }
    return { items, last, more: false };
  }
}
