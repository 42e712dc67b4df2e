import type { JsonObject } from "@mortise/core";

/**
 * Keeps what logins give: registrations, tokens, logins under way. Values are JSON; keys are opaque. Several processes may share
 * a store when its `lock` holds between them. Everything in it is secret.
 */
export interface CredentialStore {
  /** Gives what is kept under a key. */
  get(key: string): Promise<JsonObject | undefined>;
  set(key: string, value: JsonObject): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * Runs work while nobody else who shares the store runs work under the same key. Rejects with the reason of the signal when that
   * aborts before the work began; a lock whose holder died is taken over.
   */
  lock<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}
