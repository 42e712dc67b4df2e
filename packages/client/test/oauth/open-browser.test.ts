import type { spawn } from "node:child_process";
import { spawn as spawnProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type BrowserHost, openBrowserOn } from "../../src/oauth/node/open-browser.js";
import { failureOf } from "../open-client.js";

const ADDRESS = "https://as.example/authorize?state=a&scope=x%20y";

interface Started {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** A machine that notes what is started, where a program ends with the code that is listed for it. */
function createHost(
  platform: NodeJS.Platform,
  environment: BrowserHost["environment"],
  codes: Readonly<Record<string, number | "missing">> = {},
): { host: BrowserHost; started: Started[] } {
  const started: Started[] = [];
  const start = (file: string, args: readonly string[], options: Started["options"]): unknown => {
    started.push({ file, args, options });
    const child = Object.assign(new EventEmitter(), { unref: () => {} });
    const code = codes[file] ?? 0;
    queueMicrotask(() => (code === "missing" ? child.emit("error", new Error("ENOENT")) : child.emit("exit", code)));
    return child;
  };
  return { host: { platform, environment, spawn: start as unknown as typeof spawn }, started };
}

describe("the browser", () => {
  test.each([
    ["darwin", {}, [["/usr/bin/open", ADDRESS]]],
    ["win32", {}, [["C:\\Windows\\System32\\rundll32.exe", "url.dll,FileProtocolHandler", ADDRESS]]],
    ["win32", { SystemRoot: "D:\\Win" }, [["D:\\Win\\System32\\rundll32.exe", "url.dll,FileProtocolHandler", ADDRESS]]],
    ["linux", { DISPLAY: ":0" }, [["xdg-open", ADDRESS]]],
    ["freebsd", { WAYLAND_DISPLAY: "wayland-0" }, [["xdg-open", ADDRESS]]],
    ["linux", { WSL_DISTRO_NAME: "Ubuntu" }, [["wslview", ADDRESS]]],
    ["linux", { BROWSER: "/opt/editor/browser.sh" }, [["/opt/editor/browser.sh", ADDRESS]]],
  ] as const)("is opened on %s with %o", async (platform, environment, expected) => {
    const { host, started } = createHost(platform, environment);

    expect(await openBrowserOn(ADDRESS, host)).toBe(true);

    expect(started.map(({ file, args }) => [file, ...args])).toEqual(expected);
    for (const { options } of started) expect(options).toMatchObject({ shell: false, stdio: "ignore" });
  });

  test("is opened by the next program when one is missing or fails", async () => {
    const environment = { WSL_DISTRO_NAME: "Ubuntu", DISPLAY: ":0", BROWSER: "lost" };
    const codes = { lost: 1, wslview: "missing", "/mnt/c/Windows/System32/rundll32.exe": "missing" } as const;
    const { host, started } = createHost("linux", environment, codes);

    expect(await openBrowserOn(ADDRESS, host)).toBe(true);

    expect(started.map(({ file }) => file)).toEqual([...Object.keys(codes), "xdg-open"]);
  });

  test("counts as missing when no program can be started", async () => {
    const { host } = createHost("linux", { DISPLAY: ":0" }, { "xdg-open": "missing" });

    expect(await openBrowserOn(ADDRESS, host)).toBe(false);
  });

  test("counts as missing when the system throws over starting it", async () => {
    const refuse = (): never => {
      throw new Error("EPERM");
    };
    const host = { platform: "darwin", environment: {}, spawn: refuse as unknown as typeof spawn } as const;

    expect(await openBrowserOn(ADDRESS, host)).toBe(false);
  });

  test("is not looked for where nobody could see it", async () => {
    const { host, started } = createHost("linux", {});

    expect(await openBrowserOn(ADDRESS, host)).toBe(false);
    expect(started).toEqual([]);
  });

  test("is not chosen by a setting that is more than a program's name", async () => {
    const { host, started } = createHost("linux", { BROWSER: "sh -c 'echo %s'", DISPLAY: ":0" });

    await openBrowserOn(ADDRESS, host);

    expect(started.map(({ file }) => file)).toEqual(["xdg-open"]);
  });

  test.each([
    "javascript:alert(1)//",
    "file:///etc/passwd",
    "smb://127.0.0.1/x",
    "data:text/html,<script>1</script>",
    "vscode://x",
    "HTTP://evil.example/authorize",
    " javascript:1",
    "java\tscript:1",
    "http://evil.example/authorize",
    "https://u:p@x.example/",
    "//x.example/a",
    "--help",
    "",
  ])("never gets to see %o", async (address) => {
    const { host, started } = createHost("linux", { DISPLAY: ":0" });

    expect(await failureOf(openBrowserOn(address, host))).toMatchObject({ code: "address_refused" });
    expect(started).toEqual([]);
  });

  test.each([
    ["HTTPS://AS.Example/A", "https://as.example/A"],
    ["http://127.0.0.1:8080/a", "http://127.0.0.1:8080/a"],
    ["https://as.example/?x=\"$(touch pwned)`id`' & calc %PATH%", undefined],
  ])("gets %s as one argument without blanks", async (address, expected) => {
    const { host, started } = createHost("win32", {});

    await openBrowserOn(address, host);

    const shown = started[0]?.args.at(-1) ?? "";
    if (expected !== undefined) expect(shown).toBe(expected);
    expect(shown).toMatch(/^https?:\/\/[^\s"<>]+$/);
  });

  test.runIf(process.platform !== "win32")("receives the address from a real process, unchanged", async () => {
    const folder = mkdtempSync(join(tmpdir(), "browser-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [program, seen, pwned] = [join(folder, "browser"), join(folder, "seen"), join(folder, "pwned")];
    writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" > '${seen}'\n`);
    chmodSync(program, 0o700);
    const host = { platform: "linux", environment: { BROWSER: program }, spawn: spawnProcess } as const;
    const address = `https://as.example/?a=1&b=$(touch${"\u00a0"}${pwned});c='x'`;

    expect(await openBrowserOn(address, host)).toBe(true);

    expect(readFileSync(seen, "utf8").trimEnd()).toBe(new URL(address).href);
    expect(existsSync(pwned)).toBe(false);
  });
});
