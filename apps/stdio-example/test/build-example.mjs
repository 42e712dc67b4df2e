import { setup as build } from "../../../scripts/setup.mjs";

/** Runs once before all tests, which start the built file: builds it and what it stands on, if a source is younger. */
export async function setup() {
  await build({ folders: ["apps/stdio-example"] });
}
