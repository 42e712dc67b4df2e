import { MCPClient, MortiseError } from "@mortise/client";
import { connect, describeServer, type ServerCheck, type ServerCheckOptions } from "./describe-server.js";
import { explainHttpFailure, readRefusal } from "./explain-http.js";
import { type Finding, warning } from "./finding.js";
import type { Target } from "./target.js";

type Address = Extract<Target, { kind: "http" }>;

/** How long a silent server may take to open the stream of the older transport. */
const PROBE_MS = 5_000;
/** How long another place is tried, which is only a guess. */
const GUESS_MS = 2_000;
/** Where servers are mostly found. */
const USUAL_PATHS = ["/mcp", "/sse", "/"] as const;

/** Checks a server at an address. */
export async function checkAddress(target: Address, options: ServerCheckOptions): Promise<ServerCheck> {
  const problems: string[] = [];
  const client = createClient(target, options, (problem) => problems.push(problem.message));
  try {
    const connected = await connect(client);
    const transport = client.verdict?.transport ?? "streamable-http";
    const { findings, report } = await describeServer(client, { ...connected, transport });
    return { findings: [...findings, ...problems.map((problem) => warning(problem))], report };
  } catch (error) {
    const finding = explainHttpFailure(error, { url: target.url, hasCredentials: hasCredentials(target) });
    return { findings: [await pointElsewhere(finding, error, { target, options })], report: undefined };
  } finally {
    await client.close();
  }
}

function createClient(
  { url, headers }: Address,
  { timeoutMs, version }: ServerCheckOptions,
  onError: (problem: Error) => void,
): MCPClient {
  return new MCPClient({
    url,
    headers,
    timeout: timeoutMs,
    probeTimeout: Math.min(PROBE_MS, timeoutMs),
    clientInfo: { name: "mortise-doctor", version },
    listen: false,
    onError,
  });
}

interface Attempt {
  readonly target: Address;
  readonly options: ServerCheckOptions;
}

/** Where something answers that is no MCP endpoint, looks for one at the usual places of the same origin. */
async function pointElsewhere(finding: Finding, error: unknown, { target, options }: Attempt): Promise<Finding> {
  if (!isWrongPlace(error)) return finding;
  for (const path of USUAL_PATHS) {
    if (path === target.url.pathname) continue;
    const url = new URL(path, target.url);
    const client = createClient({ ...target, url }, { ...options, timeoutMs: GUESS_MS }, () => undefined);
    try {
      await client.connect();
      return { ...finding, hint: `An MCP server answers at ${url.href}: use that address.` };
    } catch (failure) {
      // It was only a guess; what is not an error of ours means that there is none.
      if (failure instanceof TypeError) throw failure;
    } finally {
      await client.close();
    }
  }
  return finding;
}

function isWrongPlace(error: unknown): boolean {
  const { status = 0, body = "" } = readRefusal(error) ?? {};
  if (status === 404 || status === 405 || status === 410 || /^\s*</.test(body)) return true;
  // Some servers say in JSON-RPC that they are elsewhere.
  return error instanceof MortiseError && error.code === "initialize_refused";
}

function hasCredentials({ headers }: Address): boolean {
  return Object.keys(headers ?? {}).some((name) => /^(?:authorization|.*(?:key|token).*)$/i.test(name));
}
