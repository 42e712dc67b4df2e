import { createHash } from "node:crypto";
import { mkdir, readlink, realpath } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { type JsonObject, MortiseError } from "@mortise/core";
import type { CredentialStore } from "../credential-store.js";
import { createKeyedLock } from "../keyed-lock.js";
import { readCredentials, setAside, writeCredentials } from "./credential-file.js";
import { describeFileFailure, hasCode } from "./file-failures.js";
import { withFileLock } from "./file-lock.js";

/** How a file of credentials is kept. */
export interface FileStoreOptions {
  /**
   * Hears what was put right: a file that others could read was tightened, one that could not be read was set aside under another
   * name. @default a warning of the process
   */
  readonly onProblem?: ((problem: Error) => void) | undefined;
}

/**
 * Keeps credentials in one JSON file, which only this user may read (0600) and is always replaced as a whole. Its folder is made
 * when it is missing (0700). Processes that use the same file share their logins: locks are files beside it, and those of a process
 * that died are taken over. On Windows the file has the access rules of its folder. Calls reject with `login_failed` when the system
 * does not let the file be read or written.
 */
export function fileStore(path: string, options: FileStoreOptions = {}): CredentialStore {
  if (typeof path !== "string" || path === "")
    throw new MortiseError("invalid_options", "Expected the path of a file for the credentials");
  const { onProblem = (problem: Error) => process.emitWarning(problem.message, "CredentialStoreWarning") } = options;
  const given = resolve(path);
  const queue = createKeyedLock();

  /** Nobody else who uses the file changes it during the work. Where it is may be told by a link. */
  const alone = <T>(work: (file: string) => Promise<T>): Promise<T> =>
    queue("", async () => {
      const file = await findFile(given);
      return withFileLock(`${file}.lock`, () => work(file));
    });
  const read = async (file: string): Promise<Map<string, JsonObject>> => {
    const entries = await readCredentials(file, onProblem);
    if (entries !== "broken") return entries;
    const aside = await setAside(file);
    onProblem(new MortiseError("login_failed", `'${file}' held no credentials, and was set aside as '${aside}'`));
    return new Map();
  };
  const change = (edit: (entries: Map<string, JsonObject>) => void): Promise<void> =>
    attempt(`The credentials could not be written to '${path}'`, () =>
      alone(async (file) => {
        const entries = await read(file);
        edit(entries);
        await writeCredentials(file, entries);
      }),
    );

  return {
    get: (key) =>
      attempt(`The credentials in '${path}' could not be read`, async () => {
        const entries = await readCredentials(given, onProblem);
        // Set aside by one process at a time, and only if it is still broken then.
        return (entries === "broken" ? await alone(read) : entries).get(key);
      }),
    set: (key, value) => change((entries) => entries.set(key, value)),
    delete: (key) => change((entries) => entries.delete(key)),
    async lock(key, work, signal) {
      // Keys hold addresses, which are no names of files.
      const name = createHash("sha256").update(key).digest("hex").slice(0, 24);
      const within = async () => {
        const file = await attempt(`The credentials in '${path}' could not be locked`, () => findFile(given));
        return withFileLock(`${file}.${name}.lock`, work, { signal });
      };
      return queue(`lock ${key}`, within, signal);
    },
  };
}

/** Makes the folder when it is missing, and follows links, so that the file is the same by whatever name it is used. */
async function findFile(given: string): Promise<string> {
  try {
    return await realpath(given);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
  const target = await readTarget(given);
  if (target !== undefined) return findFile(resolve(dirname(given), target));
  await mkdir(dirname(given), { recursive: true, mode: 0o700 });
  return resolve(await realpath(dirname(given)), basename(given));
}

/** Where a link leads that leads to no file yet; `undefined` when there is none. Links in a circle are no such links. */
async function readTarget(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    if (hasCode(error, "ENOENT", "EINVAL")) return undefined;
    throw error;
  }
}

async function attempt<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw describeFileFailure(what, error);
  }
}
