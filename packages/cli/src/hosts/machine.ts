import { homedir } from "node:os";
import { posix, win32 } from "node:path";

/** What of a computer decides where hosts keep their files, and what they can start. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** The folder of the project. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The computer that this runs on, with the variables that commands see. */
export function thisMachine(env: Machine["env"] = process.env): Machine {
  return { platform: process.platform, home: homedir(), cwd: process.cwd(), env };
}

/** Joins parts of a path the way a platform does. */
export function joinPath({ platform }: Machine, ...parts: string[]): string {
  return platform === "win32" ? win32.join(...parts) : posix.join(...parts);
}

/** The value of a variable; `undefined` where it is not set or empty. Windows takes names in any case. */
export function readVariable({ env, platform }: Machine, name: string): string | undefined {
  const exact = Object.hasOwn(env, name) ? env[name] : undefined;
  if (exact !== undefined || platform !== "win32") return exact === "" ? undefined : exact;
  const key = Object.keys(env).find((one) => one.toUpperCase() === name.toUpperCase());
  const value = key === undefined ? undefined : env[key];
  return value === "" ? undefined : value;
}
