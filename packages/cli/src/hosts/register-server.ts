import { getNodeValue, type Node } from "jsonc-parser";
import { CommandFailure } from "../command-failure.js";
import { appendItem, removeAt, setAt, type Writable } from "./edit-json.js";
import type { HostRow } from "./host-table.js";
import { findProperty, type JsonDocument, readDocument, readValue, wrongAt } from "./json-document.js";
import type { PromptInput, Registration, ServerEntry } from "./registration.js";

/** What is written where. */
export interface RegisterOptions {
  readonly host: HostRow;
  /** The name of the server in the file. */
  readonly name: string;
  readonly registration: Registration;
  /** Whether an entry of that name for something else gives way. */
  readonly force: boolean;
}

/** What makes an entry reach one server and not another. The rest of an entry is the user's. */
const REACH = ["type", "command", "args", "url", "serverUrl"] as const;

/**
 * Puts a server into the text of a host's file and gives the new text, which is the same where nothing has to change. Comments,
 * other entries and the way it is written stay. Throws `CommandFailure` for text that is broken, with line and column, and for an
 * entry of that name that starts something else.
 */
export function registerServer(text: string, options: RegisterOptions): string {
  const bom = text.startsWith("\ufeff") ? "\ufeff" : "";
  let document = readDocument(text.slice(bom.length));
  document = setEntry(document, options);
  for (const input of options.registration.inputs) document = addInput(document, input);
  return bom + document.text;
}

/** What a file would hold that has nothing else in it, for showing. */
export function showRegistration(options: Omit<RegisterOptions, "force">): string {
  return registerServer("", { ...options, force: true });
}

/** Tells whether an entry starts this package's server, whatever options it is given. */
export function isOwnEntry({ command, args }: Readonly<Record<string, unknown>>): boolean {
  const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === "string");
  return words.includes("mcp") && words.some((word) => /^(?:.*[\\/])?mortise(?:@.+|\.cmd)?$/.test(word));
}

function setEntry(document: JsonDocument, { host, name, registration, force }: RegisterOptions): JsonDocument {
  const { entry } = registration;
  const path = [host.member, name];
  const existing = findEntry(document, host.member, name);
  if (existing === undefined) return setAt(document, path, toWritable(entry));
  const value = readObject(document, existing, name);
  const reachesSame = REACH.every((member) => isSame(value[member], entry[member]));
  const isOwn = entry.command !== undefined && isOwnEntry(value);
  if (!reachesSame && !isOwn && !force) {
    throw new CommandFailure(
      `The file has another server called "${name}": choose a name with "--name", or replace it with "--force"`,
    );
  }
  let result = document;
  if (!reachesSame && force) result = setReach(document, path, entry);
  for (const [variable, text] of Object.entries(entry.env ?? {})) {
    const old = isRecord(value["env"]) ? value["env"][variable] : undefined;
    if (old !== text) result = setAt(result, [...path, "env", variable], text);
  }
  return result;
}

/** Makes an entry reach another server. What else it has stays, but not what only the other kind of server has. */
function setReach(document: JsonDocument, path: readonly string[], entry: ServerEntry): JsonDocument {
  let result = document;
  const foreign = entry.command === undefined ? ["command", "args", "env", "cwd", "envFile"] : ["headers"];
  const stale = [...foreign, ...REACH.filter((member) => entry[member] === undefined)];
  const [member = "", name = ""] = path;
  for (const each of stale) {
    const node = findEntry(result, member, name);
    if (node !== undefined) result = removeAt(result, node, each);
  }
  for (const each of REACH) {
    const value = entry[each];
    if (value !== undefined) result = setAt(result, [...path, each], value);
  }
  return result;
}

function findEntry(document: JsonDocument, member: string, name: string): Node | undefined {
  if (document.root === undefined) return undefined;
  const servers = findProperty(document, document.root, member);
  if (servers === undefined) return undefined;
  const node = readValue(servers);
  if (node.type !== "object") throw wrongAt(document.text, node.offset, `"${member}" to be an object`);
  const property = findProperty(document, node, name);
  return property && readValue(property);
}

function readObject({ text }: JsonDocument, node: Node, name: string): Readonly<Record<string, unknown>> {
  const value: unknown = getNodeValue(node);
  if (!isRecord(value)) throw wrongAt(text, node.offset, `"${name}" to be an object`);
  return value;
}

/** Adds a question of VS Code's, unless the file asks for the same already. */
function addInput(document: JsonDocument, input: PromptInput): JsonDocument {
  const property = document.root && findProperty(document, document.root, "inputs");
  if (property === undefined) return setAt(document, ["inputs"], [toWritable(input)]);
  const list = readValue(property);
  if (list.type !== "array") throw wrongAt(document.text, list.offset, '"inputs" to be an array');
  const known: unknown = getNodeValue(list);
  const isKnown = Array.isArray(known) && known.some((one: unknown) => isRecord(one) && one["id"] === input.id);
  return isKnown ? document : appendItem(document, list, toWritable(input));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The same as plain members. */
function toWritable(value: ServerEntry | PromptInput): Writable {
  return { ...value } as { readonly [name: string]: Writable }; // every member is a text, a list or a record of texts
}
