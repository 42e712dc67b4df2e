import { setup as build } from "../../../scripts/setup.mjs";

/** Runs once before all tests: builds the command, and what it stands on, if a source is younger. */
export async function setup() {
  await build({ folders: ["packages/cli"] });
}
