// pnpm soak: loads a server in a process of its own and weighs what stays behind. Takes a minute or so; `pnpm soak --full`
// takes the full counts and a few minutes. Other arguments limit this to the checks whose name contains one of them.
import { writeReport } from "./reports.mjs";
import { setup } from "./setup.mjs";

const FOLDER = "packages/testing";

await setup({ folders: [FOLDER] });
const { runSoak } = await import(`../${FOLDER}/soak/run.mjs`);
const { passed, failed } = await runSoak(process.argv.slice(2).filter((arg) => arg !== "--"));
writeReport("soak", { passed, failed });
console.log(`soak: ${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
