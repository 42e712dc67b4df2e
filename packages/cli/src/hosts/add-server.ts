import { describeProviders } from "@mortise/tools";
import { CommandFailure, EXIT } from "../command-failure.js";
import { HOST_IDS, HOSTS, type HostRow, projectFile } from "./host-table.js";
import { type Machine, readVariable } from "./machine.js";
import { registerServer, showRegistration } from "./register-server.js";
import { createRegistration, type Registration, type RegistrationRequest } from "./registration.js";
import { findFile, replaceFile } from "./replace-file.js";

/** What is registered, and where. */
export interface AddRequest extends Omit<RegistrationRequest, "reveal"> {
  /** The id of the host. */
  readonly host: string;
  /** The name that the server gets there. */
  readonly name: string;
  /** Register for this project alone. */
  readonly project: boolean;
  /** Replace another server of that name. */
  readonly force: boolean;
}

/** What came of it. */
export interface AddOutcome {
  /** The file of the host. */
  readonly file: string;
  /** Whether it had to be changed. */
  readonly changed: boolean;
  /** The copy of what it held before; `undefined` where there was nothing, or nothing changed. */
  readonly backup: string | undefined;
  /** What the user should know, a line each. */
  readonly notes: readonly string[];
}

/** What would be written, and where. */
export interface AddPreview {
  readonly file: string;
  /** The text of a file with nothing else in it. */
  readonly text: string;
  /** A command of the host's own that does the same, as far as it has one. */
  readonly command: string | undefined;
  readonly notes: readonly string[];
}

/** The names that every host takes. */
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/**
 * Registers the server with a host. What else its file holds stays as it is. Throws `CommandFailure`, and then nothing is
 * changed.
 */
export async function addServer(request: AddRequest, machine: Machine): Promise<AddOutcome> {
  const { host, file, name } = readTarget(request, machine);
  const registration = createRegistration(host, { ...request, reveal: true }, machine);
  const found = await findFile(file);
  const text = found.text ?? "";
  const next = explainWithin(file, () => {
    return registerServer(text, { host, name, registration, force: request.force });
  });
  const changed = next !== text;
  // A file that others may read is no place for a key, but a project's file is shared on purpose.
  const mode = found.text !== undefined ? found.mode : request.project ? 0o644 : 0o600;
  const backup = changed ? await replaceFile({ ...found, mode }, next) : undefined;
  const notes = [...listNotes(request, host, { machine, registration }), `${host.reload}.`];
  return { file, changed, backup, notes };
}

/** Says what `addServer` would write. Values of variables are not looked up. Throws `CommandFailure`. */
export function previewServer(request: AddRequest, machine: Machine): AddPreview {
  const { host, file, name } = readTarget(request, machine);
  const registration = createRegistration(host, { ...request, reveal: false }, machine);
  const text = showRegistration({ host, name, registration });
  const command = host.id === "claude-code" ? writeClaudeCommand(request, registration) : undefined;
  return { file, text, command, notes: listNotes(request, host, { machine, registration }) };
}

interface Target {
  readonly host: HostRow;
  readonly file: string;
  readonly name: string;
}

function readTarget({ host: id, name, project }: AddRequest, machine: Machine): Target {
  const host = HOSTS.find((row) => row.id === id);
  if (host === undefined) throw new CommandFailure(`Expected the host to be one of ${HOST_IDS.join(", ")}`, EXIT.usage);
  if (!NAME.test(name)) {
    const expected = "begin with a letter, and have at most 64 letters, digits, _ and -";
    throw new CommandFailure(`Expected the name of the server to ${expected}`, EXIT.usage);
  }
  const file = project ? projectFile(host, machine) : host.userFile(machine);
  if (file === undefined)
    throw new CommandFailure(`${host.label} has no file for a project: leave out "--project"`, EXIT.usage);
  return { host, file, name };
}

/** Adds the name of the file to a failure about what stands in it. */
function explainWithin<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    throw new CommandFailure(`${error.message}, in ${file}; it was left as it is`, error.exitCode);
  }
}

interface NoteContext {
  readonly machine: Machine;
  readonly registration: Registration;
}

function listNotes(request: AddRequest, host: HostRow, { machine, registration }: NoteContext): string[] {
  const { env, project, http } = request;
  const notes: string[] = [];
  const names = env.filter((text) => !text.includes("="));
  const unset = names.filter((name) => readVariable(machine, name) === undefined);
  if (env.length === 0 && http === undefined) notes.push(...suggestKeys(host, machine));
  if (host.variables === "environment" && unset.length > 0)
    notes.push(`${unset.join(", ")} must be set where ${host.label} starts, and is not set here.`);
  if (host.variables === "prompt" && names.length > 0) notes.push(`${host.label} will ask for ${names.join(", ")}.`);
  if (registration.holdsValues && http === undefined)
    notes.push(`The file holds ${project ? "values: keep it out of version control" : "values: do not share it"}.`);
  if (project && registration.entry.command === "cmd")
    notes.push("The entry starts on Windows alone: others need the command npx in place of cmd /c npx.");
  return notes;
}

/** What to do about keys where none is named. What is started from a terminal gets the variables of that anyway. */
function suggestKeys(host: HostRow, machine: Machine): string[] {
  const names = describeProviders(machine.env)
    .filter(({ configured }) => configured)
    .map(({ id }) => `${id.toUpperCase()}_API_KEY`)
    .filter((name) => readVariable(machine, name) !== undefined);
  if (names.length === 0) return ["The tools need the key of a provider: name it, such as with --env OPENAI_API_KEY."];
  if (host.id === "claude-code") return [];
  const flags = names.map((name) => `--env ${name}`).join(" ");
  return [`${host.label} may not know the variables of this terminal: to pass keys on, run this again with ${flags}.`];
}

/** The command of Claude Code that registers the same. */
function writeClaudeCommand({ name, project, http, env }: AddRequest, { entry }: Registration): string {
  const scope = ["--scope", project ? "project" : "user"];
  const words = ["claude", "mcp", "add", ...scope];
  if (http !== undefined) return [...words, "--transport", "http", name, http].map(quoteWord).join(" ");
  // The shell that runs the command fills in variables that are only named.
  const variables = env.flatMap((text) => ["-e", text.includes("=") ? quoteWord(text) : `${text}="$${text}"`]);
  return [...words, name, ...variables, "--", entry.command, ...(entry.args ?? [])].join(" ");
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
