import { invalidOptions, MortiseError } from "@mortise/core";
import { checkLoginUrl } from "./address-rules.js";
import { checkRedirectUri } from "./page-redirect.js";
import { listenForAnswers } from "./popup-channel.js";
import type { Redirect } from "./redirect.js";

/** How often is looked whether the window is still open, in milliseconds. */
const LOOK_MS = 500;
/** How often in a row it has to be found closed: its last word may come a moment after that. */
const LOOKS = 2;

/** The part of a window that is used. */
export interface PopupWindow {
  readonly closed: boolean;
  close(): void;
}

/** How logins happen in a window of their own. */
export interface PopupRedirectOptions {
  /** The page that logins come back to, on this page's own origin, as it is registered. It calls `answerPopup()`. */
  readonly uri: string;
  /** What the window looks like, as `window.open` takes it. @default "popup,width=520,height=720" */
  readonly features?: string | undefined;
  /** Opens the window; gives `null` when it was blocked. @default window.open */
  readonly open?: ((url: string, target: string, features: string) => PopupWindow | null) | undefined;
}

/**
 * Shows the login page in a window of its own, and waits for the page at `uri` to pass the answer on. Browsers open windows only soon
 * after a click: begin the login in its handler. A login rejects with `login_denied` when the window was blocked or the user closed
 * it. Login pages that cut themselves off from the window that opened them look closed: they count as that only when the user is
 * back on this page. Throws `invalid_options` for an address that logins cannot come back to.
 */
export function popupRedirect(options: PopupRedirectOptions): Redirect {
  const { uri, features = "popup,width=520,height=720" } = options;
  const { open = (url: string, target: string, looks: string) => globalThis.open(url, target, looks) } = options;
  const applicationType = checkRedirectUri(uri);
  checkOrigin(uri);
  return {
    applicationType,
    uris: [uri],
    async open() {
      const closed = new AbortController();
      return {
        uri,
        async visit(url, { state, signal }) {
          const page = checkLoginUrl(url.href, "the login page");
          const ended = AbortSignal.any([signal, closed.signal]);
          return await waitForPopup({ uri, state, signal: ended, show: () => open(page.href, "_blank", features) });
        },
        close: () => closed.abort(new MortiseError("aborted", "The login was given up")),
      };
    },
  };
}

interface PopupVisit {
  readonly uri: string;
  readonly state: string;
  readonly signal: AbortSignal;
  readonly show: () => PopupWindow | null;
}

function waitForPopup({ uri, state, signal, show }: PopupVisit): Promise<URLSearchParams> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return void reject(signal.reason);
    // Listening before anybody can answer.
    const stopListening = listenForAnswers(new URL(uri).origin, (parameters) => {
      const states = parameters.getAll("state");
      if (states.length === 1 && states[0] === state) settle(() => resolve(parameters));
    });
    let popup: PopupWindow | null = null;
    let timer: ReturnType<typeof setInterval> | undefined;
    const settle = (finish: () => void): void => {
      clearInterval(timer);
      stopListening();
      signal.removeEventListener("abort", giveUp);
      if (popup?.closed === false) popup.close();
      finish();
    };
    const giveUp = (): void => settle(() => reject(signal.reason));
    const deny = (message: string): void => settle(() => reject(new MortiseError("login_denied", message)));

    signal.addEventListener("abort", giveUp, { once: true });
    popup = show();
    if (popup === null) return deny("The browser blocked the window of the login; begin it in the handler of a click");
    timer = watch(popup, () => deny("The window of the login was closed before it was completed"));
  });
}

function watch(popup: PopupWindow, onClosed: () => void): ReturnType<typeof setInterval> {
  let looks = 0;
  return setInterval(() => {
    looks = popup.closed && isInFront() ? looks + 1 : 0;
    if (looks >= LOOKS) onClosed();
  }, LOOK_MS);
}

function isInFront(): boolean {
  const page: Document | undefined = globalThis.document;
  return page === undefined || page.hasFocus();
}

function checkOrigin(uri: string): void {
  const page: Location | undefined = globalThis.location;
  if (page !== undefined && new URL(uri).origin !== page.origin)
    throw invalidOptions('"uri" to be an address on the origin of this page');
}
