import type { Ask, JsonObject } from "@mortise/core";
import type { ParamHeader } from "@mortise/core/schema";

/** The registered thing that a request is about: what its opening has to know of it. */
export interface Subject {
  /** Its name, or a resource's address. */
  readonly name: string;
  /** Questions it cannot do without. */
  readonly asks: readonly Ask[];
  /** Arguments that headers repeat. Tools have them. */
  readonly paramHeaders?: readonly ParamHeader[] | undefined;
  /** How the newest revision lists it. */
  readonly listing: JsonObject;
}
