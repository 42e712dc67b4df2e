import { isObject } from "@mortise/core";

const CHANNEL = "mortise:login";

/** What the page that logins come back to is made of; replaced in tests. */
export interface PopupPage {
  readonly location: Pick<Location, "href" | "origin">;
  readonly opener: { postMessage(message: unknown, targetOrigin: string): void } | null;
  readonly history: { replaceState(state: null, title: string, url: string): void };
  close(): void;
}

/**
 * Passes the answer of a login on to the page that began it with `popupRedirect`, takes it out of the address, and closes the window.
 * To be called on the page that logins come back to. Gives `false`, and does nothing, when the address holds no answer.
 *
 * @example
 * import { answerPopup } from "@mortise/client/oauth";
 * answerPopup();
 */
export function answerPopup(page: PopupPage = globalThis.window): boolean {
  const { search, pathname } = new URL(page.location.href);
  if (!new URLSearchParams(search).has("state")) return false;
  const message = { channel: CHANNEL, search };
  const { origin } = page.location;
  // Both ways lead to pages of this origin alone. A login page may have cut the tie to the opener; a frame has a channel of its own.
  page.opener?.postMessage(message, origin);
  if (globalThis.BroadcastChannel !== undefined) {
    const channel = new BroadcastChannel(CHANNEL);
    channel.postMessage(message);
    channel.close();
  }
  page.history.replaceState(null, "", pathname);
  page.close();
  return true;
}

/** Hears the answers that pages of one origin pass on; gives what stops that. */
export function listenForAnswers(origin: string, onAnswer: (parameters: URLSearchParams) => void): () => void {
  const hear = (event: Event): void => {
    const { origin: from, data } = event as MessageEvent<unknown>; // what both kinds of targets send as "message"
    if (from !== origin || !isObject(data) || data.channel !== CHANNEL || typeof data.search !== "string") return;
    onAnswer(new URLSearchParams(data.search));
  };
  const targets: EventTarget[] = [];
  const channel = globalThis.BroadcastChannel === undefined ? undefined : new BroadcastChannel(CHANNEL);
  if (channel !== undefined) targets.push(channel);
  if (globalThis.addEventListener !== undefined) targets.push(globalThis);
  for (const target of targets) target.addEventListener("message", hear);
  return () => {
    for (const target of targets) target.removeEventListener("message", hear);
    channel?.close();
  };
}
