import { spawn } from "node:child_process";
import { checkLoginUrl } from "../address-rules.js";
import { type BrowserCommand, listBrowserCommands } from "./browser-command.js";

/** How long a program may run before it counts as the browser itself, or as one that waits for it. */
const PATIENCE_MS = 2_000;

/** What a browser is started with; replaced in tests. */
export interface BrowserHost {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly spawn: typeof spawn;
}

/**
 * Shows an address in the user's browser. Gives `false` when nothing here can do that, so that the address can be shown in
 * another way. No shell is involved. Rejects with `address_refused` for what is neither `https:` nor `http:` on this machine.
 */
export function openBrowser(url: URL | string): Promise<boolean> {
  return openBrowserOn(url, { platform: process.platform, environment: process.env, spawn });
}

/** The same with all that it takes from its surroundings given, for tests. @package */
export async function openBrowserOn(url: URL | string, host: BrowserHost): Promise<boolean> {
  // What comes out begins with its scheme and has no blanks, so that no program can take it for an option or for two arguments.
  const { href } = checkLoginUrl(String(url), "the login page");
  for (const command of listBrowserCommands(host.platform, host.environment))
    if (await start(command, href, host)) return true;
  return false;
}

function start({ file, args }: BrowserCommand, href: string, host: BrowserHost): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PATIENCE_MS, true);
    const settle = (started: boolean): void => {
      clearTimeout(timer);
      resolve(started);
    };
    try {
      // Not "windowsHide", which would start the browser hidden. Detached, so that it outlives this process and its terminal.
      const child = host.spawn(file, [...args, href], {
        stdio: "ignore",
        shell: false,
        detached: host.platform !== "win32",
      });
      child.once("error", () => settle(false));
      child.once("exit", (code) => settle(code === 0));
      child.unref();
    } catch {
      // Most failures to start are told by an event; where the system is short of something it throws.
      settle(false);
    }
  });
}
