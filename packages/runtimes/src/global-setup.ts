import { buildPrograms } from "./build-programs.js";

/** Runs once before all tests. */
export async function setup(): Promise<void> {
  await buildPrograms();
}
