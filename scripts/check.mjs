// pnpm check: every check of the repository, in order. `check.mjs lint size` runs these groups (and the build where they
// look at it); `check.mjs --except test` leaves groups out. Prints one line per step, and the output of those that fail.
import { node, pnpm, run } from "./run.mjs";

const TURBO_ENV = { TURBO_TELEMETRY_DISABLED: "1" };
const turbo = (task) => pnpm(["exec", "turbo", "run", task, "--continue"], { env: TURBO_ENV });
const script = (name) => node([`scripts/${name}.mjs`]);

const STEPS = [
  {
    group: "lint",
    name: "biome",
    run: () => run("biome", ["ci", "--colors=off", "--diagnostic-level=error", "--max-diagnostics=100"]),
  },
  { group: "lint", name: "boundaries", run: () => script("check-boundaries") },
  { group: "lint", name: "words", run: () => script("check-words") },
  { group: "build", name: "build", run: () => turbo("build") },
  { group: "typecheck", name: "typecheck", run: () => turbo("typecheck") },
  { group: "typecheck", name: "docs", run: () => script("check-docs") },
  { group: "test", name: "test", run: () => node(["scripts/test.mjs"], { show: true }) },
  { group: "package", name: "reach", needsBuild: true, run: () => script("check-reach") },
  { group: "package", name: "exports", needsBuild: true, run: () => script("check-exports") },
  { group: "package", name: "server.json", run: () => script("check-server-json") },
  { group: "package", name: "packages", needsBuild: true, run: () => script("check-package") },
  { group: "size", name: "size", needsBuild: true, run: () => run("size-limit", []) },
  { group: "size", name: "loaded size", needsBuild: true, run: () => script("check-loaded-size") },
  { group: "unused", name: "knip", run: () => run("knip", ["--no-progress", "--no-config-hints"]) },
];

const args = process.argv.slice(2);
const except = args.includes("--except") ? args.slice(args.indexOf("--except") + 1) : [];
const only = args.includes("--except") ? args.slice(0, args.indexOf("--except")) : args;
const groups = new Set(STEPS.map((step) => step.group));
const unknown = [...only, ...except].filter((name) => !groups.has(name));
if (unknown.length > 0) {
  console.error(`There is no check called ${unknown.join(", ")}. There are: ${[...groups].join(", ")}`);
  process.exit(1);
}

const chosen = STEPS.filter(({ group }) => (only.length === 0 || only.includes(group)) && !except.includes(group));
const needsBuild = chosen.some((step) => step.needsBuild) && !chosen.some((step) => step.group === "build");
const plan = needsBuild ? [STEPS.find((step) => step.group === "build"), ...chosen] : chosen;

const failed = new Set();
for (const step of plan) {
  if (step.needsBuild && failed.has("build")) continue;
  const begun = performance.now();
  const { code, output } = await step.run();
  const seconds = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
  if (code !== 0) failed.add(step.name);
  console.log(`${code === 0 ? "✓" : "✗"} ${step.name.padEnd(12)} ${seconds.padStart(8)}`);
  if (code !== 0 && output !== "") console.log(`\n${output.trimEnd()}\n`);
}
if (failed.size > 0) console.log(`\nFailed: ${[...failed].join(", ")}`);
process.exitCode = failed.size === 0 ? 0 : 1;
