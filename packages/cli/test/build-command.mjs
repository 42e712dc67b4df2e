import { setup as build } from "../../../scripts/setup.mjs";

/** Runs once before all tests, some of which start the built command: builds it and what it stands on, if a source is younger. */
export async function setup() {
  await build({ folders: ["packages/cli"] });
}
