import type { Machine } from "../../src/hosts/machine.js";

/** A computer to compute paths for. */
export function createMachine(platform: NodeJS.Platform, more: Partial<Machine> = {}): Machine {
  const home = platform === "win32" ? "C:\\Users\\ada" : platform === "darwin" ? "/Users/ada" : "/home/ada";
  const cwd = platform === "win32" ? "C:\\code\\shop" : `${home}/shop`;
  return { platform, home, cwd, env: {}, ...more };
}
