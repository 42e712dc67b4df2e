// npm start: sets up what the demonstration needs, then runs it. Arguments (`-- --once`) and PORT are passed on.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { setup } from "./setup.mjs";
import { ROOT } from "./workspace.mjs";

const DEMO = join(ROOT, "apps", "http-example", "dist", "demo.js");

await setup({ folders: ["apps/http-example", "apps/stdio-example"] });

const demo = spawn(process.execPath, [DEMO, ...process.argv.slice(2)], { stdio: "inherit" });
// The terminal sends Ctrl-C to the demonstration too; this process waits for it to end in order.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    if (signal === "SIGTERM") demo.kill(signal);
  });
}
demo.once("exit", (code, signal) => {
  process.exitCode = code ?? (signal === "SIGINT" ? 130 : 1);
});
