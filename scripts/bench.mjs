// pnpm bench: builds what is measured, then runs bench/run.mjs with the given arguments.
import { join } from "node:path";
import { node } from "./run.mjs";
import { setup } from "./setup.mjs";
import { ROOT } from "./workspace.mjs";

const BENCH = join(ROOT, "bench", "run.mjs");

await setup();
const args = process.argv.slice(2).filter((arg) => arg !== "--");
process.exitCode = (await node(["--expose-gc", BENCH, ...args], { show: true })).code;
