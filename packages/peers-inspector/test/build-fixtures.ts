import { buildFixtures } from "@mortise/peers";
import { FIXTURES } from "./fixtures-folder.js";

/** Runs once before all tests. */
export async function setup(): Promise<void> {
  await buildFixtures(FIXTURES);
}
