import type { ServerCheck, ServerReport } from "./describe-server.js";
import type { Finding } from "./finding.js";
import type { Target } from "./target.js";

/** Shorter ones would turn up by chance, and hide what they are not. */
const SHORTEST_SECRET = 6;

/**
 * Takes out of a check what the server was given and others may not see: values of headers, of variables and of the query. A server
 * may repeat them in any of its words.
 */
export function hideSecrets({ findings, report }: ServerCheck, target: Target): ServerCheck {
  // One may be a part of another.
  const secrets = listSecrets(target).sort((one, other) => other.length - one.length);
  const hide = (text: string): string => secrets.reduce((rest, secret) => rest.replaceAll(secret, "[hidden]"), text);
  return {
    findings: findings.map((finding) => hideInFinding(finding, hide)),
    report: report && hideInReport(report, hide),
  };
}

function listSecrets(target: Target): string[] {
  const values = target.kind === "process" ? Object.values(target.command.env) : listHttpSecrets(target);
  return values.filter((value) => value !== undefined).filter((value) => value.length >= SHORTEST_SECRET);
}

/** Headers with and without the scheme before a token. */
function listHttpSecrets({ url, headers }: Extract<Target, { kind: "http" }>): string[] {
  const pairs = headers !== undefined && Symbol.iterator in headers ? [...headers] : Object.entries(headers ?? {});
  const values = pairs.map(([, value]) => value);
  return [
    ...values,
    ...values.map((value) => value.replace(/^\S+\s+/, "")),
    url.password,
    ...url.searchParams.values(),
  ];
}

function hideInFinding({ text, hint, details, ...rest }: Finding, hide: (text: string) => string): Finding {
  return { ...rest, text: hide(text), hint: hint && hide(hint), details: details?.map(hide) };
}

/** Only these hold words of the server's own choice. */
function hideInReport(report: ServerReport, hide: (text: string) => string): ServerReport {
  const { serverInfo, tools } = report;
  return {
    ...report,
    serverInfo: serverInfo && { ...serverInfo, name: hide(serverInfo.name), version: hide(serverInfo.version) },
    tools: tools?.map(hide),
  };
}
