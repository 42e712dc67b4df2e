import { setup as build } from "../../../scripts/setup.mjs";

/** Runs once before all tests, some of which load the built package in a process: builds it and what it stands on, if a source is younger. */
export async function setup() {
  await build({ folders: ["packages/tools"] });
}
