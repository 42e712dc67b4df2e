import { type Environment, readEnvironment } from "../environment.js";
import { thisMachine } from "../hosts/machine.js";
import { createLog } from "../log.js";
import { readVersion } from "../version.js";
import { checkMachine } from "./check-machine.js";
import { checkServer } from "./check-server.js";
import type { ServerReport } from "./describe-server.js";
import type { Section } from "./finding.js";
import { readTarget, type Target } from "./target.js";

/** What is to be checked. */
export interface DoctorOptions {
  /** Ask each provider something short. */
  readonly live: boolean;
  readonly header: readonly string[];
  readonly env: readonly string[];
  /** The longest time for one answer, in seconds. */
  readonly timeout: number;
}

/** Everything that was found out. */
export interface Diagnosis {
  /** Whether nothing failed. */
  readonly ok: boolean;
  readonly sections: readonly Section[];
  readonly server: ServerReport | undefined;
}

/** Checks a server, or else this machine, its providers and its registrations. Throws `CommandFailure` for a target that is none. */
export async function runDoctor(words: readonly string[], options: DoctorOptions): Promise<Diagnosis> {
  const env = await readEnvironment({ folder: process.cwd(), env: process.env, log: createLog("warn") });
  const target = readTarget({ words, header: options.header, env: options.env }, env);
  const version = readVersion();
  const timeoutMs = options.timeout * 1_000;
  const sections = [checkMachine(process.versions.node, version), ...(await checkRest({ env, target, options }))];
  const check = target === undefined ? undefined : await checkServer(target, { timeoutMs, version });
  if (check !== undefined) sections.push({ title: "The server", findings: check.findings });
  const hasFailed = sections.some(({ findings }) => findings.some(({ state }) => state === "failed"));
  return { ok: !hasFailed, sections, server: check?.report };
}

interface Rest {
  readonly env: Environment;
  readonly target: Target | undefined;
  readonly options: DoctorOptions;
}

/** Providers and registrations, unless somebody asks about a server alone. Loaded only then. */
async function checkRest({ env, target, options }: Rest): Promise<Section[]> {
  const sections: Section[] = [];
  if (target === undefined || options.live) {
    const { checkProviders } = await import("./check-providers.js");
    sections.push(await checkProviders({ env, live: options.live, timeoutMs: options.timeout * 1_000 }));
  }
  if (target === undefined) {
    const { checkRegistrations } = await import("./check-registrations.js");
    sections.push(await checkRegistrations(thisMachine()));
  }
  return sections;
}
