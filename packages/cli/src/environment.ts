import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "./log.js";

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where variables come from. */
export interface EnvironmentSources {
  /** The folder whose `.env` is read. */
  readonly folder: string;
  /** The real environment. */
  readonly env: Environment;
  readonly log: Log;
}

const MAX_BYTES = 1_048_576;
const BASE_URL = "_BASE_URL";
const SECRET = /_(?:API_KEY|TOKEN)$/;

/**
 * Reads the variables of the real environment and of the file `.env` beside it. The real ones win; an empty one counts as unset.
 * Nothing of the file reaches `process.env`, so that it cannot change how Node or a library behaves. What looks like a secret is
 * kept out of the log.
 */
export async function readEnvironment({ folder, env, log }: EnvironmentSources): Promise<Environment> {
  // Without a prototype, a variable called "__proto__" is a variable like any other.
  const variables: Record<string, string | undefined> = Object.assign(Object.create(null), env);
  for (const [name, value] of Object.entries(await readEnvFile(join(folder, ".env"), log))) {
    if (!isBlank(env[name])) continue;
    if (isMisleading(name, value, env)) {
      const problem = `${name} in .env is ignored, since the key it would get is not from there`;
      log.warn(`${problem}: set ${name} in the environment instead`);
    } else {
      variables[name] = value;
    }
  }
  for (const [name, value] of Object.entries(variables)) if (SECRET.test(name)) log.hide(value?.trim());
  return variables;
}

/** Gives nothing where there is no such file. The parser is loaded only where there is one. */
async function readEnvFile(path: string, log: Log): Promise<Readonly<Record<string, string>>> {
  try {
    const about = await stat(path);
    // A folder may have that name, and a pipe may never be written to.
    if (!about.isFile()) return {};
    if (about.size > MAX_BYTES) {
      log.warn(`.env is ignored: it has ${about.size} bytes, and ${MAX_BYTES} are read at most`);
      return {};
    }
    const text = decode(await readFile(path));
    const { parse } = await import("dotenv");
    return parse(text);
  } catch (error) {
    if (isMissing(error)) return {};
    log.warn(`.env cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    return {};
  }
}

/** Windows PowerShell writes UTF-16, and says so with the first two bytes. The mark is left out. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder().decode(bytes);
}

/**
 * Whoever wrote the folder somebody works in must not get the keys of that person's environment sent to a place of his own. This
 * machine is no such place.
 */
function isMisleading(name: string, value: string, env: Environment): boolean {
  if (!name.endsWith(BASE_URL) || isBlank(env[`${name.slice(0, -BASE_URL.length)}_API_KEY`])) return false;
  return !URL.canParse(value) || !/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(new URL(value).hostname);
}

function isBlank(value: string | undefined): boolean {
  return value === undefined || value.trim() === "";
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
