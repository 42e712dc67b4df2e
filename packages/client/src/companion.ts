import type { JsonRpcNotification } from "@mortise/core";
import type { Session } from "./era.js";
import type { SubscriptionFilter } from "./subscription.js";

/** What lives as long as a connection does, over all of its sessions, and hears what becomes of them. Must not throw. */
export interface Companion {
  /** A notification of the server, whatever it is about. */
  onChange?(notification: JsonRpcNotification): void;
  /** Changes of these kinds may have been missed. */
  onGap?(filter: SubscriptionFilter): void;
  /** There is a new session, or another one in the place of one that was lost. */
  onSession?(session: Session): void;
  /** The connection was opened. */
  onOpened?(session: Session): void;
  /** It is being closed. */
  onClosed?(reason: Error): void;
}
