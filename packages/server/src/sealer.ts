import { type JsonObject, MortiseError } from "@mortise/core";
import type { Sealing } from "./seal-state.js";
import type { ServerCore } from "./server-core.js";
import { readStateOptions, type StateOptions } from "./state-options.js";

/** How one state is sealed. */
export interface SealOptions {
  /** How long it can be opened, in milliseconds. @default the server's `state.ttl` */
  readonly ttl?: number | undefined;
  /** Whether it can be opened again and again even where the server's states are for single use. @default false */
  readonly reusable?: boolean | undefined;
}

/** How one token is opened. */
export interface OpenOptions {
  /** Looks at what was sealed before its single use is counted: whoever it was not made for must not use it up. */
  readonly accepts?: ((payload: JsonObject) => boolean) | undefined;
}

/** Seals state that travels through a client, which can neither read nor change it. */
export interface Sealer {
  /**
   * Makes a token of visible ASCII letters (base64url). Rejects with `state_too_large` where the state neither fits nor can be
   * stored. The payload has to be JSON.
   */
  seal(purpose: string, payload: JsonObject, options?: SealOptions): Promise<string>;
  /**
   * What was sealed; `undefined` for tokens that were changed, expired or used up, that were sealed for another purpose or by
   * an unknown key. Never rejects.
   */
  open(purpose: string, token: string, options?: OpenOptions): Promise<JsonObject | undefined>;
}

const OWN_KEY =
  "State is sealed with a key that this process made for itself: another process, or this one after a restart, cannot open it. " +
  'Give "state.keys" to use one key everywhere';

/** Makes the sealer of one server. What does the work is loaded on first use. Throws `invalid_options`. */
export function createSealer(options: StateOptions | undefined, owner: Pick<ServerCore, "warn" | "report">): Sealer {
  const settings = readStateOptions(options);
  const keyless = settings.keys.length === 0;
  let sealing: Promise<Sealing> | undefined;

  async function load(): Promise<Sealing> {
    const { createSealing } = await import("./seal-state.js");
    return createSealing(settings, refuseLarge);
  }

  function require(): Promise<Sealing> {
    if (sealing === undefined && keyless) owner.warn(OWN_KEY);
    sealing ??= load();
    return sealing;
  }

  return {
    async seal(purpose, payload, sealOptions = {}) {
      return (await require()).seal(purpose, payload, sealOptions);
    },
    async open(purpose, token, { accepts } = {}) {
      if (sealing === undefined && keyless) return undefined; // nothing was sealed yet
      try {
        return await (await require()).open(purpose, token, accepts);
      } catch (error) {
        owner.report(error, {}); // a store that fails
        return undefined;
      }
    },
  };
}

function refuseLarge(bytes: number, limit: number): MortiseError {
  const cure = 'Give a "state.store", or raise "state.maxBytes"';
  return new MortiseError(
    "state_too_large",
    `Expected a sealed state of at most ${limit} bytes, received ${bytes}. ${cure}`,
  );
}
