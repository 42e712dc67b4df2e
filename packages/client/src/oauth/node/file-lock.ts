import { randomBytes } from "node:crypto";
import { readFile, rm, stat, utimes } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createFile } from "./create-file.js";
import { describeFileFailure, hasCode, isBusy } from "./file-failures.js";
import { describePlace, isGone, type Owner, parseOwner } from "./lock-owner.js";

/** How often the holder of a lock shows that it lives, and how long it may be silent until others take it for dead. */
export interface LockTimes {
  readonly beatMs: number;
  readonly silentMs: number;
}

const TIMES: LockTimes = { beatMs: 2_000, silentMs: 15_000 };
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 200;
/** How often in a row Windows may refuse a file that is just being deleted before that counts as a failure. */
const MOST_REFUSALS = 50;
/** No complaint about what is gone, and patience where something else has the file open. */
const RM = { force: true, maxRetries: 5 } as const;

/** A lock file as it was found: `mark` changes with its owner and with every sign of life. */
interface Found {
  readonly owner: Owner | undefined;
  readonly generation: string;
  readonly mark: string;
}

/**
 * Runs work while this process alone holds the lock file at `path`; its folder has to exist. The file names its owner, whose
 * signs of life are the file's times. A lock whose owner has died, or was silent for long, is taken over. Rejects with the reason of
 * the signal when that aborts while waiting.
 */
export async function withFileLock<T>(
  path: string,
  work: () => Promise<T>,
  { signal, times = TIMES }: { readonly signal?: AbortSignal | undefined; readonly times?: LockTimes } = {},
): Promise<T> {
  const token = randomBytes(16).toString("hex");
  await acquire({ path, token, signal, silentMs: times.silentMs });
  const beat = setInterval(() => void showLife(path), times.beatMs);
  beat.unref();
  try {
    return await work();
  } finally {
    clearInterval(beat);
    await release(path, token);
  }
}

interface Acquisition {
  readonly path: string;
  readonly token: string;
  readonly signal: AbortSignal | undefined;
  readonly silentMs: number;
}

async function acquire({ path, token, signal, silentMs }: Acquisition): Promise<void> {
  const place = await describePlace();
  const content = JSON.stringify({ token, pid: process.pid, place });
  let pause = FIRST_PAUSE_MS;
  let waited = 0;
  let silent = 0;
  let seen: Found | undefined;
  for (let refusals = 0; ; ) {
    signal?.throwIfAborted();
    const made = await tryCreate(path, content);
    if (made === "made") return;
    refusals = made === "refused" ? refusals + 1 : 0;
    if (refusals > MOST_REFUSALS) throw new Error("The system keeps refusing to make the lock file");
    const found = await inspect(path);
    // Counted in pauses, not by the clock: after the machine slept, the owner has to get a chance to show that it lives.
    silent = found !== undefined && found.mark === seen?.mark ? silent + waited : 0;
    seen = found;
    if (found !== undefined && (silent >= silentMs || isGone(found.owner, place))) {
      await takeAway(path, found, silentMs);
      continue;
    }
    waited = pause * (0.5 + Math.random() / 2);
    await sleep(waited, undefined, { signal }).catch(throwReason(signal));
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}

/** Aborted timers reject with an error of their own, where the caller is owed the reason. */
function throwReason(signal: AbortSignal | undefined): (error: unknown) => void {
  return (error) => {
    signal?.throwIfAborted();
    throw error;
  };
}

async function tryCreate(path: string, content: string): Promise<"made" | "taken" | "refused"> {
  try {
    await createFile(path, content);
    return "made";
  } catch (error) {
    if (hasCode(error, "EEXIST")) return "taken";
    if (isBusy(error)) return "refused";
    throw describeFileFailure(`The lock '${path}' could not be made`, error);
  }
}

async function inspect(path: string): Promise<Found | undefined> {
  try {
    const owner = parseOwner(await readFile(path, "utf8"));
    const { mtimeMs, ino } = await stat(path);
    // Whoever died before it wrote its name is told apart by its file.
    const generation = owner?.token ?? `${ino}-${Math.floor(mtimeMs)}`;
    return { owner, generation, mark: `${generation} ${mtimeMs}` };
  } catch (error) {
    if (hasCode(error, "ENOENT") || isBusy(error)) return undefined;
    throw describeFileFailure(`The lock '${path}' could not be read`, error);
  }
}

/**
 * Removes the lock of a dead owner. Of all that judge it dead only one may do so, whoever makes the claim for this very
 * generation: without it, the slower of two would remove the lock that the faster one has got by now.
 */
async function takeAway(path: string, dead: Found, silentMs: number): Promise<void> {
  const claim = `${path}.${dead.generation}`;
  if ((await tryCreate(claim, "")) !== "made") return await waitForClaim(claim, silentMs);
  try {
    const now = await inspect(path);
    if (now?.generation === dead.generation) await rm(path, RM);
  } finally {
    await rm(claim, RM);
  }
}

/** Somebody else is removing it, which takes a moment. A claim that is older belongs to a process that died over it. */
async function waitForClaim(claim: string, silentMs: number): Promise<void> {
  await sleep(FIRST_PAUSE_MS);
  try {
    const { mtimeMs } = await stat(claim);
    if (Date.now() - mtimeMs > silentMs) await rm(claim, RM);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

/** One that fails is made up for by the next, unless somebody took this process for dead: release() sees that, too. */
function showLife(path: string): Promise<void> {
  const now = new Date();
  return utimes(path, now, now).catch(() => undefined);
}

async function release(path: string, token: string): Promise<void> {
  const found = await inspect(path);
  if (found?.generation === token) await rm(path, RM);
}
