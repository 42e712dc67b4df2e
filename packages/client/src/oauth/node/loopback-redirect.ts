import { MortiseError } from "@mortise/core";
import { checkLoginUrl } from "../address-rules.js";
import type { OpenRedirect, Redirect } from "../redirect.js";
import { type LoginOutcome, renderLoginPage } from "./login-page.js";
import {
  formatLoopbackAddress,
  type LoopbackAddress,
  listLoopbackAddresses,
  parseLoopbackAddress,
} from "./loopback-address.js";
import { openBrowser } from "./open-browser.js";
import { createPorts, type SharedPort } from "./shared-ports.js";

/** How logins go out to the user's browser and come back to this process. */
export interface LoopbackRedirectOptions {
  /** The port that logins come back to. @default the one that the client is registered with, else any that is free */
  readonly port?: number | undefined;
  /** `"127.0.0.1"`, `"localhost"` or `"::1"`. @default "127.0.0.1" */
  readonly host?: string | undefined;
  /** @default "/callback" */
  readonly path?: string | undefined;
  /**
   * Shows the login page, and gives whether that could be done; `false` opens nothing.
   * @default openBrowser
   */
  readonly openBrowser?: false | ((url: URL) => boolean | Promise<boolean>) | undefined;
  /**
   * Hears the address of every login page, and whether a browser was opened for it. It holds nothing secret that lasts.
   * @default writes the address to stderr when no browser was opened
   */
  readonly onAddress?: ((url: URL, opened: boolean) => void) | undefined;
  /** Gives the HTML that the user sees in the end. It can load and run nothing. @default a page that says to go back */
  readonly page?: ((outcome: LoginOutcome) => string) | undefined;
}

/**
 * Sends users to the login page in their own browser, and listens on this machine for the answer. Only a visit of the path with the
 * `state` of a login that waits counts; each login is answered once. Several logins at a time share a port. A login rejects with
 * `address_in_use` when its fixed port cannot be used. Throws `invalid_options` that names the option.
 *
 * @example
 * const auth = oauth({ redirect: loopbackRedirect(), store: fileStore("credentials.json") });
 */
export function loopbackRedirect(options: LoopbackRedirectOptions = {}): Redirect {
  const asked = parseLoopbackAddress(options.host ?? "127.0.0.1", options.port ?? 0, options.path ?? "/callback");
  const ports = createPorts(guardPage(options.page ?? renderLoginPage));
  return {
    applicationType: "native",
    uris: [formatLoopbackAddress(asked)],
    async open({ registered, signal }) {
      signal.throwIfAborted();
      const { address, shared } = await openFirst(listLoopbackAddresses(asked, registered), ports.open);
      if (signal.aborted) {
        shared.leave();
        throw signal.reason;
      }
      return createVisit(shared, address, options);
    },
  };
}

/** Whoever has logged in is owed a page, also when the one that was made for it fails. */
function guardPage(render: (outcome: LoginOutcome) => string): (outcome: LoginOutcome) => string {
  return (outcome) => {
    try {
      return render(outcome);
    } catch {
      return renderLoginPage(outcome);
    }
  };
}

async function openFirst(
  addresses: readonly LoopbackAddress[],
  open: (address: LoopbackAddress) => Promise<SharedPort>,
): Promise<{ address: LoopbackAddress; shared: SharedPort }> {
  for (const [at, address] of addresses.entries()) {
    try {
      const shared = await open(address);
      return { address: { ...address, port: shared.listener.port }, shared };
    } catch (error) {
      const isTaken = error instanceof MortiseError && error.code === "address_in_use";
      if (!isTaken || at === addresses.length - 1) throw error;
    }
  }
  throw new MortiseError("internal", "Expected at least one address to come back to");
}

function createVisit(shared: SharedPort, address: LoopbackAddress, options: LoopbackRedirectOptions): OpenRedirect {
  const { openBrowser: show = openBrowser, onAddress = printAddress } = options;
  const closed = new AbortController();
  return {
    uri: formatLoopbackAddress(address),
    async visit(url, { state, signal }) {
      const page = checkLoginUrl(url.href, "the login page");
      const ended = new AbortController();
      const answer = shared.listener.wait(address.path, state, AbortSignal.any([signal, closed.signal, ended.signal]));
      const shown = (async () => {
        const opened = show !== false && (await show(page));
        if (!signal.aborted) onAddress(page, opened);
        return answer;
      })();
      try {
        // The answer may come before the program that shows the page has ended.
        return await Promise.race([answer, shown]);
      } finally {
        ended.abort();
      }
    },
    close() {
      if (closed.signal.aborted) return;
      closed.abort(new MortiseError("aborted", "The login was given up"));
      shared.leave();
    },
  };
}

function printAddress(url: URL, opened: boolean): void {
  if (!opened) process.stderr.write(`Open this address in a browser to log in:\n${url.href}\n`);
}
