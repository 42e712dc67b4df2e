import { type ChildProcess, spawn, spawnSync } from "node:child_process";

/** How often a group is asked whether anything in it is still alive. */
const POLL_MS = 20;
/** Signals that end a program which does not listen for them; its children must not stay behind. */
const FATAL_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A child process and everything it started. */
export interface ProcessGroup {
  /** Sends a signal to all of it; does nothing when it is gone. On Windows any signal ends the whole tree at once. */
  signal(name: "SIGTERM" | "SIGKILL"): void;
  /** Resolves `true` when nothing of it is left, `false` after `ms`. */
  gone(ms: number): Promise<boolean>;
  /** Stops ending it along with this process. */
  forget(): void;
}

/**
 * Takes charge of a child that was started as the leader of its own group (`detached`, except on Windows). Until `forget()`,
 * the group is killed when this process exits or is ended by a signal that nobody else listens for.
 */
export function adoptGroup(child: ChildProcess, pid: number, platform: NodeJS.Platform): ProcessGroup {
  const posix = platform !== "win32";
  const send = (name: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(-pid, name);
    } catch {
      return false; // ESRCH: nothing is left. EPERM: only processes that have ended but were not collected (macOS).
    }
  };
  const group: ProcessGroup = {
    signal(name) {
      if (posix) send(name);
      else if (child.exitCode === null)
        spawn("taskkill", treeArguments(pid), { stdio: "ignore", windowsHide: true }).on("error", () => child.kill());
    },
    async gone(ms) {
      if (!posix) return true;
      for (let waited = 0; send(0); waited += POLL_MS) {
        if (waited >= ms) return false;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      return true;
    },
    forget: () => forget(kill),
  };
  const kill = posix
    ? (): void => void send("SIGKILL")
    : (): void => void spawnSync("taskkill", treeArguments(pid), { windowsHide: true });
  remember(kill);
  return group;
}

function treeArguments(pid: number): string[] {
  return ["/pid", String(pid), "/t", "/f"];
}

/**
 * What to kill when this process ends. The list belongs to the process, as its exit does: one listener serves every child, so
 * that many children do not add up to a warning about too many listeners.
 */
const doomed = new Set<() => void>();

function remember(kill: () => void): void {
  if (doomed.size === 0) {
    process.on("exit", killAll);
    // First in line: a listener that the program has added with `once` counts only as long as it has not run.
    for (const signal of FATAL_SIGNALS) process.prependListener(signal, onFatalSignal);
  }
  doomed.add(kill);
}

function forget(kill: () => void): void {
  if (!doomed.delete(kill) || doomed.size > 0) return;
  process.off("exit", killAll);
  for (const signal of FATAL_SIGNALS) process.off(signal, onFatalSignal);
}

function killAll(): void {
  for (const kill of doomed) kill();
}

function onFatalSignal(signal: NodeJS.Signals): void {
  // Someone else who listens decides whether the process ends; if it does, the exit listener still runs.
  if (process.listenerCount(signal) > 1) return;
  killAll();
  for (const kill of [...doomed]) forget(kill);
  process.kill(process.pid, signal);
}
