import { readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { isObject } from "@mortise/core";
import { hasCode } from "./file-failures.js";

/** Who holds a lock file. */
export interface Owner {
  /** Made anew for every time a lock is held. */
  readonly token: string;
  readonly pid: number;
  readonly place: string;
}

/**
 * Where process ids of this process mean something: the host, and on Linux the namespace, since containers may share a folder and a
 * host's name.
 */
export async function describePlace(): Promise<string> {
  const namespace = process.platform === "linux" ? await readNamespace() : "";
  return `${hostname()} ${namespace}`.trim();
}

/** Reads what is written in a lock file; `undefined` while it is being written, or when its owner died over that. */
export function parseOwner(text: string): Owner | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return undefined;
    const { token, pid, place } = value;
    if (typeof token !== "string" || !/^[0-9a-f]{32}$/.test(token)) return undefined;
    if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid <= 0 || typeof place !== "string")
      return undefined;
    return { token, pid, place };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Tells whether an owner has certainly died. One on another host, or whose id another process may have, is not certain. */
export function isGone(owner: Owner | undefined, place: string): boolean {
  if (owner?.place !== place) return false;
  try {
    process.kill(owner.pid, 0);
    return false;
  } catch (error) {
    return hasCode(error, "ESRCH");
  }
}

async function readNamespace(): Promise<string> {
  try {
    return await readlink("/proc/self/ns/pid");
  } catch (error) {
    if (hasCode(error, "ENOENT", "EACCES", "EPERM", "EINVAL")) return "";
    throw error;
  }
}
