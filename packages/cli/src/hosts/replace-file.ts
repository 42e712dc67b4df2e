import { chmod, constants, copyFile, lstat, mkdir, open, readFile, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { CommandFailure, EXIT } from "../command-failure.js";

/** Larger files are no configuration. */
const MAX_BYTES = 32 * 1024 * 1024;
/** How often Windows is asked again to replace a file that somebody reads at the moment, and how long to wait. */
const ATTEMPTS = 5;
const PAUSE_MS = 100;

/** A text file as it was found. */
export interface FoundFile {
  /** Where it really is, behind links. */
  readonly path: string;
  /** What it holds; `undefined` where there is none yet. */
  readonly text: string | undefined;
  readonly mode: number;
}

/** Reads a file that may not exist. Throws `CommandFailure` for what cannot be read, and for what is no text in UTF-8. */
export function findFile(path: string): Promise<FoundFile> {
  return withReason(`${path} cannot be read`, () => readFound(path));
}

async function readFound(path: string): Promise<FoundFile> {
  const real = await followLink(path);
  if (real === undefined) return { path, text: undefined, mode: 0o600 };
  const status = await lstat(real);
  if (!status.isFile()) throw new CommandFailure(`Expected ${path} to be a file`);
  if (status.size > MAX_BYTES) throw new CommandFailure(`Expected ${path} to have at most ${MAX_BYTES} bytes`);
  return { path: real, text: decode(await readFile(real), path), mode: status.mode & 0o777 };
}

/**
 * Replaces what a file holds, all at once, and keeps what it held in a copy beside it. Gives the path of the copy, or
 * `undefined` for a new file. Throws `CommandFailure` where it cannot be written, or was changed meanwhile.
 */
export function replaceFile(found: FoundFile, content: string): Promise<string | undefined> {
  return withReason(`${found.path} cannot be written`, () => replaceFound(found, content));
}

async function replaceFound({ path, text, mode }: FoundFile, content: string): Promise<string | undefined> {
  await mkdir(dirname(path), { recursive: true });
  const backup = text === undefined ? undefined : `${path}.mortise.bak`;
  if (backup !== undefined) await keepCopy(path, { backup, mode });
  const draft = nameDraft(path);
  try {
    await write(draft, content, mode);
    const now = await findFile(path);
    if (now.text !== text) throw new CommandFailure(`${path} was changed meanwhile: run the command again`);
    await renameOver(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  return backup;
}

/** The copy takes the place of whatever stands there. A link is not followed: whoever shares a project could lead it anywhere. */
async function keepCopy(
  path: string,
  { backup, mode }: { readonly backup: string; readonly mode: number },
): Promise<void> {
  const draft = nameDraft(backup);
  try {
    await copyFile(path, draft, constants.COPYFILE_EXCL);
    await chmod(draft, mode);
    await renameOver(draft, backup);
  } finally {
    await rm(draft, { force: true });
  }
}

function nameDraft(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
}

async function write(path: string, content: string, mode: number): Promise<void> {
  const file = await open(path, "wx", mode);
  try {
    await file.writeFile(content, "utf8");
    await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function renameOver(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (attempt === ATTEMPTS || !isBusy(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** Where a path leads in the end; `undefined` where nothing is. A link to nothing is refused: it was made for some reason. */
async function followLink(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!hasCode(error, ["ENOENT"])) throw error;
  }
  try {
    await lstat(path);
  } catch (error) {
    if (hasCode(error, ["ENOENT"])) return undefined;
    throw error;
  }
  throw new CommandFailure(`Expected ${path} not to be a link to a file that does not exist`);
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    // A byte-order mark is kept: whoever wrote it may need it.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw new CommandFailure(`Expected ${path} to be text in UTF-8`);
    throw error;
  }
}

/** Tells of a failure of the system, such as of missing rights, in a line. */
async function withReason<T>(problem: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    throw new CommandFailure(`${problem}: ${error.message}`, EXIT.failed, { cause: error });
  }
}

function isBusy(error: unknown): boolean {
  return hasCode(error, ["EPERM", "EACCES", "EBUSY"]) && process.platform === "win32";
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
