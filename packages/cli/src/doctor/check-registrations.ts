import { MortiseError } from "@mortise/client";
import { type ClientOptions, parseConfig } from "@mortise/client/config";
import { describeProviders } from "@mortise/tools";
import { getNodeValue } from "jsonc-parser";
import { CommandFailure } from "../command-failure.js";
import { readEnvironment } from "../environment.js";
import { HOSTS, type HostRow, projectFile } from "../hosts/host-table.js";
import { findProperty, readDocument, readValue } from "../hosts/json-document.js";
import type { Machine } from "../hosts/machine.js";
import { isOwnEntry } from "../hosts/register-server.js";
import { findFile } from "../hosts/replace-file.js";
import { createLog } from "../log.js";
import { isCommandFound } from "./find-command.js";
import { type Finding, failed, ok, type Section, warning } from "./finding.js";

const NO_KEY_HINT =
  'Set the variable of a key where the assistant starts, or run "mortise add" again with "--env" and the name of another one.';

type Entry = Readonly<Record<string, unknown>>;

/** Where an entry stands. */
interface Place {
  readonly host: HostRow;
  readonly file: string;
  readonly name: string;
}

/** Checks what hosts have registered, without starting or calling anything. Never shows a value of an entry. */
export async function checkRegistrations(machine: Machine): Promise<Section> {
  const files = HOSTS.flatMap((host) =>
    [host.userFile(machine), projectFile(host, machine)]
      .filter((file) => file !== undefined)
      .map((file) => ({ host, file })),
  );
  const checked = await Promise.all(files.map(({ host, file }) => checkFile(host, file, machine)));
  const findings = checked.flatMap((one) => one.findings);
  if (checked.some(({ hasOwn }) => hasOwn)) return { title: "Registrations", findings };
  const hint = `Run "mortise add" with one of ${HOSTS.map(({ id }) => id).join(", ")}.`;
  return { title: "Registrations", findings: [...findings, warning("No assistant has the tools yet", hint)] };
}

interface FileCheck {
  readonly findings: readonly Finding[];
  readonly hasOwn: boolean;
}

async function checkFile(host: HostRow, file: string, machine: Machine): Promise<FileCheck> {
  let entries: Map<string, unknown>;
  try {
    entries = await readEntries(host, file);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const what = error instanceof CommandFailure ? message.replace(`, in ${file}`, "") : "it cannot be read";
    return {
      findings: [failed(`${host.label}, ${file}: ${what}`, "Mend the file: until then, nothing in it works.")],
      hasOwn: false,
    };
  }
  const findings: Finding[] = [];
  let hasOwn = false;
  for (const [name, entry] of entries) {
    const isOwn = isEntry(entry) && (isOwnEntry(entry) || (name === "mortise" && entry["command"] === undefined));
    hasOwn ||= isOwn;
    const finding = await checkEntry({ host, file, name }, entry, machine);
    if (isOwn) findings.push(finding);
    else if (finding.state !== "ok") findings.push({ ...finding, state: "warning" });
  }
  return { findings, hasOwn };
}

async function readEntries(host: HostRow, file: string): Promise<Map<string, unknown>> {
  const { text } = await findFile(file);
  if (text === undefined) return new Map();
  const document = readDocument(text.replace(/^\ufeff/, ""));
  const property = document.root && findProperty(document, document.root, host.member);
  const servers: unknown = property && getNodeValue(readValue(property));
  return new Map(isEntry(servers) ? Object.entries(servers) : []);
}

async function checkEntry({ host, file, name }: Place, entry: unknown, machine: Machine): Promise<Finding> {
  const label = `${host.label}, ${file}: "${name}"`;
  if (!isEntry(entry)) return failed(`${label} is no object`);
  if (entry["disabled"] === true || entry["enabled"] === false) return warning(`${label} is switched off`);
  try {
    const isProject = file === projectFile(host, machine);
    return await checkOptions(label, readEntry(name, entry, machine), { entry, machine, isProject });
  } catch (error) {
    if (error instanceof MortiseError) return failed(`${label}: ${error.message}`);
    throw error;
  }
}

interface EntryContext {
  readonly entry: Entry;
  readonly machine: Machine;
  /** Whether it is for this project, so that its server starts here. */
  readonly isProject: boolean;
}

async function checkOptions(
  label: string,
  options: ClientOptions | undefined,
  { entry, machine, isProject }: EntryContext,
): Promise<Finding> {
  if (options !== undefined && "url" in options) return ok(`${label} calls ${new URL(options.url).origin}`);
  if (options === undefined || !("command" in options)) return warning(`${label} is empty`);
  const { command, env } = options;
  if (!(await isCommandFound(command, machine)))
    return failed(`${label} starts ${command}, which is not found here`, "Install it, or write its full path.");
  const given = { ...machine.env, ...env };
  const found = isProject
    ? await readEnvironment({ folder: machine.cwd, env: given, log: createLog("silent") })
    : given;
  const hasKey = describeProviders(found).some(({ configured }) => configured);
  // A file of variables is the host's to read.
  if (isOwnEntry(entry) && !hasKey && entry["envFile"] === undefined)
    return warning(`${label} has no key of a provider`, NO_KEY_HINT);
  return ok(`${label} starts ${command}`);
}

/** Reads an entry the way a client would, with the variables of this machine. What a host asks for counts as given. */
function readEntry(name: string, entry: Entry, machine: Machine): ClientOptions | undefined {
  const { envFile, ...rest } = entry;
  const env = { ...machine.env, workspaceFolder: machine.cwd, userHome: machine.home };
  const ignoreCase = machine.platform === "win32";
  const text = JSON.stringify({ mcpServers: { [name]: rest } });
  return parseConfig(text, env, { inputs: () => "given", ignoreCase }).get(name);
}

function isEntry(value: unknown): value is Entry {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
