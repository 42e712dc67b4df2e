import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, normalize } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { PAGE } from "../build-programs.js";
import { end, open } from "../listening.js";
import type { PageProgram } from "../programs/page.js";
import { findBrowser } from "./find-browser.js";
import type { Runtime } from "./runtime.js";

/** The policies of pages, by their path. All are strict about code: nothing inline, and none from text. */
const POLICIES = {
  "/": "default-src 'self'; connect-src *",
  "/callback": "default-src 'self'; connect-src *",
  /** Lets nothing be called but the page's own server. */
  "/closed-off": "default-src 'self'",
};

/** A page with the client in it. */
export interface OpenPage {
  readonly origin: string;
  /** Calls a function of the program in the page, with plain data. */
  call<Name extends keyof PageProgram>(
    name: Name,
    ...args: Parameters<PageProgram[Name]>
  ): Promise<Awaited<ReturnType<PageProgram[Name]>>>;
  readonly page: Page;
}

/** A browser, and a server for its pages. */
export interface RunningBrowser {
  /** Opens a page that has its own caches, from a host of the tests. */
  openPage(host?: string, path?: keyof typeof POLICIES): Promise<OpenPage>;
  stop(): Promise<void>;
}

/** Starts Chromium. Pages come from whatever host they ask for; all of them are this machine. */
export async function startBrowser(): Promise<RunningBrowser> {
  const pages = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const policy = new Map<string, string>(Object.entries(POLICIES)).get(pathname);
    if (policy !== undefined) {
      response.writeHead(200, { "content-type": "text/html", "content-security-policy": policy });
      response.end('<!doctype html><title>client</title><script type="module" src="/page.js"></script>');
      return;
    }
    const file = join(PAGE, normalize(pathname));
    response.writeHead(existsSync(file) ? 200 : 404, { "content-type": "text/javascript" });
    response.end(existsSync(file) ? readFileSync(file) : "");
  });
  const port = await open(pages);
  const browser = await launch();
  return {
    openPage: (host = "127.0.0.1", path = "/") => openPage(browser, `http://${host}:${port}`, path),
    async stop() {
      await browser.close();
      await end(pages);
    },
  };
}

/** Chromium, in a page and in a dedicated worker. */
export const CHROMIUM: readonly Runtime[] = (["runSuite", "runSuiteInWorker"] as const).map((name) => ({
  name: name === "runSuite" ? "Chromium" : "a worker in Chromium",
  processes: "none",
  async runSuite(targets) {
    const browser = await startBrowser();
    try {
      const page = await browser.openPage();
      return await page.call(name, targets);
    } finally {
      await browser.stop();
    }
  },
}));

async function openPage(browser: Browser, origin: string, path: string): Promise<OpenPage> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(origin + path);
  await page.waitForFunction(() => "program" in globalThis);
  return {
    origin,
    page,
    call: (name, ...args) =>
      page.evaluate(
        ([member, values]) => {
          const { program } = globalThis as unknown as { program: Record<string, (...input: unknown[]) => unknown> }; // put there by the page's own code
          return program[member]?.(...values);
        },
        [name, args] as const,
      ) as never, // what the member gives, as plain data
  };
}

function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: findBrowser(),
    headless: true,
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--host-resolver-rules=MAP *.example 127.0.0.1"],
  });
}
