import { buildFixtures, INSPECTOR_FIXTURES } from "@mortise/peers";

/** Runs once before all tests. */
export async function setup(): Promise<void> {
  await buildFixtures(INSPECTOR_FIXTURES);
}
