import type { JsonObject, Refusal } from "@mortise/core";
import { SharedTail } from "./sealed.js";

/**
 * The JSON text of a result's members, without the braces, as lists keep it: an answer is made by joining strings.
 */
export class MembersText {
  readonly text: string;
  readonly #tails = new Map<string, SharedTail>();

  constructor(text: string) {
    this.text = text;
  }

  /** The result as an object, for those who want to look inside. */
  decode(): JsonObject {
    return JSON.parse(`{${this.text}}`) as JsonObject; // the text of an object's members between braces
  }

  /** Everything that follows the id of an answer. `stamp` is what an era puts before the members, with its comma. */
  tail(stamp: string): SharedTail {
    let tail = this.#tails.get(stamp);
    if (tail === undefined) {
      tail = new SharedTail(`,"result":{${stamp}${this.text}}}`);
      this.#tails.set(stamp, tail);
    }
    return tail;
  }
}

/** A result on its way to the wire. */
export type Result = JsonObject | MembersText;

/** What became of a call. */
export type Outcome =
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  | { readonly kind: "failed"; readonly error: unknown };
