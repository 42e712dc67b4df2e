/** Variables that a program needs to start and find its files, none of which carries a secret. */
// biome-ignore format: a table
const POSIX_NAMES = [
  "HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER",
  "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_MONETARY", "LC_NUMERIC", "LC_TIME",
  "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME",
  "NODE_EXTRA_CA_CERTS", "SSL_CERT_DIR", "SSL_CERT_FILE", "__CF_USER_TEXT_ENCODING",
] as const;

/** The same for Windows, which cannot start most programs without several of these. Compared without regard to case. */
// biome-ignore format: a table
const WINDOWS_NAMES = [
  "ALLUSERSPROFILE", "APPDATA", "COMMONPROGRAMFILES", "COMMONPROGRAMFILES(X86)", "COMMONPROGRAMW6432", "COMPUTERNAME",
  "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LANG", "LOCALAPPDATA", "NODE_EXTRA_CA_CERTS", "NUMBER_OF_PROCESSORS", "OS", "PATH",
  "PATHEXT", "PROCESSOR_ARCHITECTURE", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432", "PUBLIC",
  "SSL_CERT_DIR", "SSL_CERT_FILE", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TERM", "TMP", "TZ", "USERDOMAIN", "USERNAME",
  "USERPROFILE", "WINDIR",
] as const;

/** Environment variables by name. `undefined` stands for "not set". */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What a child's environment is made of. */
export interface ChildEnvironmentOptions {
  readonly platform: NodeJS.Platform;
  /** The parent's own variables. */
  readonly parent: Environment;
  /** What the user asked for; laid over what is inherited. A value of `undefined` takes an inherited variable away. */
  readonly explicit?: Environment | undefined;
}

/**
 * Builds the environment of a child process: a safe part of the parent's, with the explicit variables laid over it. Everything
 * else the parent knows, such as tokens, stays with the parent. On Windows names that differ only in case are one variable.
 */
export function createChildEnvironment(options: ChildEnvironmentOptions): Record<string, string> {
  const windows = options.platform === "win32";
  const fold = windows ? (name: string): string => name.toUpperCase() : (name: string): string => name;
  const safe: ReadonlySet<string> = new Set(windows ? WINDOWS_NAMES : POSIX_NAMES);
  const chosen = new Map<string, readonly [name: string, value: string]>();
  for (const [name, value] of Object.entries(options.parent)) {
    // A value that starts with "()" is a function an old shell exported; running it is not the child's business.
    if (value === undefined || !safe.has(fold(name)) || value.startsWith("()")) continue;
    if (!chosen.has(fold(name))) chosen.set(fold(name), [name, value]);
  }
  for (const [name, value] of Object.entries(options.explicit ?? {})) {
    if (value === undefined) chosen.delete(fold(name));
    else chosen.set(fold(name), [name, value]);
  }
  // Without a prototype, a variable called "__proto__" is a variable like any other.
  const environment: Record<string, string> = Object.create(null);
  for (const [name, value] of chosen.values()) environment[name] = value;
  return environment;
}
