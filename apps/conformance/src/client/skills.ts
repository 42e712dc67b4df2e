import { createHash } from "node:crypto";
import { type MCPClient, MortiseError } from "@mortise/client";
import { refuses } from "./refusal.js";
import type { Handler } from "./scenarios.js";

/** A skill as a server lists it. */
interface SkillEntry {
  readonly uri: string;
  readonly frontmatter: Record<string, unknown>;
  readonly resources: readonly SkillFile[];
}

interface SkillFile {
  readonly uri: string;
  readonly digest: string;
  readonly size: number;
}

/** How the scenarios about skills are passed: one lists and reads nothing, the others do not take what is not what was listed. */
export function selectSkillsHandler(scenario: string): Handler {
  if (!scenario.endsWith("-no-prefetch")) return { use: refuses("invalid_response", loadSkills) };
  return { use: async (client) => void (await listSkills(client)) };
}

async function listSkills(client: MCPClient): Promise<SkillEntry[]> {
  client.extend({ id: "io.modelcontextprotocol/skills" });
  const entries: SkillEntry[] = [];
  // Entries of the referee's server; others would be read with care.
  for await (const { skills } of client.pages("skills/list")) entries.push(...(skills as SkillEntry[]));
  return entries;
}

/** Loads every skill, its own file first. Rejects at the first file that is not as it was listed. */
async function loadSkills(client: MCPClient): Promise<void> {
  for (const { uri, frontmatter, resources } of await listSkills(client)) {
    const files = [...resources].sort((one, other) => Number(other.uri === uri) - Number(one.uri === uri));
    for (const file of files) {
      const { text } = await client.readResource(file.uri);
      expectListed(text, file);
      if (file.uri === uri) expectFrontmatter(text, frontmatter);
    }
  }
}

function expectListed(text: string, { uri, digest, size }: SkillFile): void {
  const bytes = Buffer.from(text);
  if (bytes.length !== size) throw mismatch(`the size of ${uri}`);
  const found = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  if (found !== digest) throw mismatch(`the digest of ${uri}`);
}

/** Compares the header of a skill's own file, of which the scenarios use flat texts alone. */
function expectFrontmatter(text: string, listed: Record<string, unknown>): void {
  const header = text.match(/^---\n(.*?)\n---\n/s)?.[1] ?? "";
  const found = Object.fromEntries(header.split("\n").map((line) => line.split(/: (.*)/s, 2)));
  const names = new Set([...Object.keys(found), ...Object.keys(listed)]);
  for (const name of names) if (found[name] !== listed[name]) throw mismatch(`"${name}" of the skill`);
}

function mismatch(what: string): MortiseError {
  return new MortiseError("invalid_response", `Expected ${what} to be as it was listed`);
}
