import { buildFixtures, FIXTURES } from "./build-fixtures.js";

/** Runs once before all tests. */
export async function setup(): Promise<void> {
  await buildFixtures(FIXTURES);
}
