import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { isObject, type JsonObject, MortiseError } from "@mortise/core";
import { createFile } from "./create-file.js";
import { hasCode, isBusy } from "./file-failures.js";

/** The layout of the file. A file with a higher number was written by a later version, and is left alone. */
const LAYOUT = 1;
/** What everybody but the owner may do with a file. */
const OTHERS = 0o077;
const MOST_RENAMES = 20;

/** What the file holds. `broken` when it is no such file. */
export type Reading = Map<string, JsonObject> | "broken";

/**
 * Reads the file; an empty map when there is none. A file that others may read is tightened first, and reported.
 *
 * @throws MortiseError `login_failed` for a file of a later version
 */
export async function readCredentials(path: string, report: (problem: Error) => void): Promise<Reading> {
  const text = await readPrivate(path, report);
  if (text === undefined) return new Map();
  const value = parseText(text);
  if (!isObject(value) || typeof value.layout !== "number" || !isObject(value.entries)) return "broken";
  if (value.layout > LAYOUT)
    throw new MortiseError("login_failed", `The credentials in '${path}' were written by a later version`);
  const entries = new Map<string, JsonObject>();
  for (const [key, entry] of Object.entries(value.entries)) if (isObject(entry)) entries.set(key, entry);
  return entries;
}

/** Replaces the file as a whole, so that nobody ever reads half of one. */
export async function writeCredentials(path: string, entries: ReadonlyMap<string, JsonObject>): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  const text = `${JSON.stringify({ layout: LAYOUT, entries: Object.fromEntries(entries) }, undefined, 2)}\n`;
  await createFile(temporary, text, { kept: true });
  try {
    await replaceFile(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Moves a file that cannot be read out of the way, and gives its new name. */
export async function setAside(path: string): Promise<string> {
  const aside = `${path}.${randomBytes(4).toString("hex")}.broken`;
  await replaceFile(path, aside);
  return aside;
}

async function readPrivate(path: string, report: (problem: Error) => void): Promise<string | undefined> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, "r");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
  try {
    // Windows has no such bits: there a file has the access rules of its folder.
    if (process.platform !== "win32" && ((await file.stat()).mode & OTHERS) !== 0) {
      await file.chmod(0o600);
      report(new MortiseError("login_failed", `Others could read the credentials in '${path}'; now only you can`));
    }
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** On Windows a file cannot be replaced while somebody, such as a virus scanner, has it open. */
async function replaceFile(from: string, to: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      if (!isBusy(error) || tries >= MOST_RENAMES) throw error;
      await sleep(10 * tries);
    }
  }
}
