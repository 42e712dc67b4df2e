import { connectInMemory, MCPClient } from "@mortise/client";
import { MCPServer } from "@mortise/server";
import { addProviderTools, describeProviders, type ProviderStatus } from "@mortise/tools";
import type { Environment } from "../environment.js";
import { type Finding, failed, ok, type Section, warning } from "./finding.js";

/** How providers are checked. */
export interface ProviderCheck {
  readonly env: Environment;
  /** Ask each provider something short, which costs a little. */
  readonly live: boolean;
  /** The longest time for one answer, in milliseconds. */
  readonly timeoutMs: number;
}

const QUESTION = "Answer with the single word: ready";

/** Checks which providers have what they need and, where that is wanted, whether they answer. Never shows a key. */
export async function checkProviders(check: ProviderCheck): Promise<Section> {
  const all = describeProviders(check.env);
  const configured = all.filter((status) => status.configured);
  const findings = check.live ? await askAll(configured, check) : configured.map(describe);
  const halfway = all.filter((status) => isHalfway(status, check.env)).map(describeHalfway);
  return { title: "Providers", findings: [...findings, ...halfway, ...(configured.length === 0 ? [noneOf(all)] : [])] };
}

function describe(status: ProviderStatus): Finding {
  return ok(`${status.label}: ${status.model ?? `images with ${status.imageModel}`}`);
}

function noneOf(all: readonly ProviderStatus[]): Finding {
  const ways = all.map(({ missing }) => missing.join(" with ")).join(", ");
  return warning("No provider has a key here", `Set one of these, in the environment or in .env: ${ways}.`);
}

/** Whether some but not all of what a provider needs is set. */
function isHalfway({ id, configured, missing }: ProviderStatus, env: Environment): boolean {
  if (configured) return false;
  const names = Object.keys(env).filter((name) => name === `${id.toUpperCase()}_API_KEY`);
  return names.some((name) => !missing.includes(name) && env[name]?.trim() !== "");
}

function describeHalfway({ label, missing }: ProviderStatus): Finding {
  return warning(
    `${label} has a key, and is not used without ${missing.join(" and ")}`,
    `Set ${missing.join(" and ")}.`,
  );
}

/** Asks through the tools themselves, so that what works here works there. */
async function askAll(configured: readonly ProviderStatus[], { env, timeoutMs }: ProviderCheck): Promise<Finding[]> {
  const server = new MCPServer({ name: "doctor", version: "1.0.0" });
  addProviderTools(server, { env, only: ["ask_model"], timeoutMs });
  const client = new MCPClient({ transport: connectInMemory(server), timeout: timeoutMs + 5_000 });
  try {
    return await Promise.all(configured.map((status) => askOne(client, status)));
  } finally {
    await client.close();
    await server.close();
  }
}

async function askOne(client: MCPClient, status: ProviderStatus): Promise<Finding> {
  if (status.model === undefined) return ok(`${status.label}: has a key, which is not tried: it only makes images`);
  const startedAt = performance.now();
  try {
    const { isError, text } = await client.callTool("ask_model", { prompt: QUESTION, provider: status.id });
    if (isError) return failed(`${status.label}: ${text}`);
    return ok(`${status.label}: ${status.model} answered in ${Math.round(performance.now() - startedAt)} ms`);
  } catch (error) {
    return failed(`${status.label}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
