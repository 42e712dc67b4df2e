import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/** The first Chromium of the search path. Throws, saying how to get one, where there is none: a test without it would prove nothing. */
export function findBrowser(): string {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
  if (found === undefined)
    throw new Error("Expected Chromium on the PATH: install it, such as with `apt-get install chromium`");
  return found;
}
