import { type ChildProcess, spawn, spawnSync } from "node:child_process";

/** How often a group is asked whether anything in it is still alive. */
const POLL_MS = 20;
/** How long children get between SIGTERM and SIGKILL when this process is ended by a signal. */
const LAST_CHANCE_MS = 500;
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
 * the group is killed when this process exits. When this process is ended by a signal that nobody else listens for, the group
 * is asked to end first and killed if it does not.
 */
export function adoptGroup(child: ChildProcess, pid: number, platform: NodeJS.Platform): ProcessGroup {
  const tree = platform === "win32" ? createTree(child, pid) : createGroup(pid);
  adopt(tree);
  return { signal: tree.signal, gone: tree.gone, forget: () => forget(tree) };
}

interface Doomed {
  signal(name: "SIGTERM" | "SIGKILL"): void;
  gone(ms: number): Promise<boolean>;
  /** Ends it at once and without waiting, as an exit listener must. */
  kill(): void;
}

function createGroup(pid: number): Doomed {
  const send = (name: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(-pid, name);
    } catch {
      return false; // ESRCH: nothing is left. EPERM: only processes that have ended but were not collected (macOS).
    }
  };
  return {
    signal: (name) => void send(name),
    async gone(ms) {
      for (let waited = 0; send(0); waited += POLL_MS) {
        if (waited >= ms) return false;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      return true;
    },
    kill: () => void send("SIGKILL"),
  };
}

/** On Windows there are no groups, but a tool that ends a process with all that descends from it. */
function createTree(child: ChildProcess, pid: number): Doomed {
  const args = ["/pid", String(pid), "/t", "/f"];
  return {
    signal() {
      if (child.exitCode !== null) return;
      spawn("taskkill", args, { stdio: "ignore", windowsHide: true }).once("error", () => child.kill());
    },
    gone: () => Promise.resolve(true),
    kill: () => void spawnSync("taskkill", args, { stdio: "ignore", windowsHide: true }),
  };
}

/**
 * What ends along with this process. The list belongs to the process, as its exit does: one listener serves every child, so
 * that many children do not add up to a warning about too many listeners.
 */
const doomed = new Set<Doomed>();

function adopt(tree: Doomed): void {
  if (doomed.size === 0) {
    process.on("exit", killAll);
    // First in line: a listener that the program has added with `once` counts only as long as it has not run.
    for (const signal of FATAL_SIGNALS) process.prependListener(signal, onFatalSignal);
  }
  doomed.add(tree);
}

function forget(tree: Doomed): void {
  if (!doomed.delete(tree) || doomed.size > 0) return;
  process.off("exit", killAll);
  for (const signal of FATAL_SIGNALS) process.off(signal, onFatalSignal);
}

function killAll(): void {
  for (const tree of doomed) tree.kill();
}

function onFatalSignal(signal: NodeJS.Signals): void {
  // Someone else who listens decides whether the process ends; if it does, the exit listener still runs.
  if (process.listenerCount(signal) === 1) void endAll(signal);
}

async function endAll(signal: NodeJS.Signals): Promise<void> {
  const trees = [...doomed];
  // From now on a second signal has its usual effect at once.
  for (const name of FATAL_SIGNALS) process.off(name, onFatalSignal);
  for (const tree of trees) tree.signal("SIGTERM");
  await Promise.all(trees.map((tree) => tree.gone(LAST_CHANCE_MS)));
  for (const tree of trees) tree.kill();
  process.kill(process.pid, signal);
}
