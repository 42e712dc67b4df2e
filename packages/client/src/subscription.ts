import type { JsonRpcNotification } from "@mortise/core";

/**
 * Which changes to hear of, in the words of the protocol. Extensions may add members.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#notification-filter
 */
export interface SubscriptionFilter {
  /** The list of tools has changed. @default false */
  readonly toolsListChanged?: boolean | undefined;
  /** The list of prompts has changed. @default false */
  readonly promptsListChanged?: boolean | undefined;
  /** The list of resources has changed. @default false */
  readonly resourcesListChanged?: boolean | undefined;
  /** Addresses of resources whose content is to be watched. @default none */
  readonly resourceSubscriptions?: readonly string[] | undefined;
  /** What an extension of the server can be asked for. */
  readonly [extension: string]: unknown;
}

/** How a subscription behaves. */
export interface SubscribeOptions {
  /** How long the server may take to confirm, in milliseconds; the same special values as for the client. @default the client's `timeout` */
  readonly timeout?: number | undefined;
  /** Ends the subscription. Before the server has confirmed it, `subscribe` rejects with `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Receives every change as it comes; then nothing is kept for iterating. What it throws goes to `onError`.
   * @default changes are kept until they are read
   */
  readonly onChange?: ((change: JsonRpcNotification) => void) | undefined;
  /** Called when the stream of changes breaks: nothing comes until `onRestored`, or the end. */
  readonly onLost?: ((reason: Error) => void) | undefined;
  /** Called when changes come again. Some may have been missed: read again what matters. */
  readonly onRestored?: (() => void) | undefined;
  /** How many changes are kept for a reader that is behind. Equal ones are kept once. @default 1_000 */
  readonly maxPending?: number | undefined;
  /** How many attempts in a row to get a broken stream back may fail before the subscription ends. @default no limit */
  readonly maxAttempts?: number | undefined;
}

/** Why a subscription has ended. */
export interface SubscriptionEnd {
  /**
   * - `"closed"`: by `close()`, or by leaving the loop that read it
   * - `"aborted"`: by its signal
   * - `"client_closed"`: with the client
   * - `"server_ended"`: the server ended it, and said so
   * - `"failed"`: it broke, and could not be had again
   */
  readonly reason: "closed" | "aborted" | "client_closed" | "server_ended" | "failed";
  /** What made it fail. */
  readonly error?: Error | undefined;
}

/**
 * Changes of a server as they come, for one reader: iterating gives each once, ends with the subscription, and throws when
 * it failed. Leaving the loop closes it.
 */
export interface Subscription extends AsyncIterable<JsonRpcNotification> {
  /** What the server tells of; of what was asked for, the rest is missing. */
  readonly honored: SubscriptionFilter;
  /** Resolves when the subscription has ended, for whatever reason. Never rejects. */
  readonly closed: Promise<SubscriptionEnd>;
  /** Ends it, and tells the server. Safe to call twice; never rejects. */
  close(): Promise<void>;
}
