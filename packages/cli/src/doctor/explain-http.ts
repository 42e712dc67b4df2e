import { type HttpRefusal, JsonRpcError, MCPTimeoutError, MortiseError } from "@mortise/client";
import { type Finding, failed } from "./finding.js";

/** What else is known of an attempt that failed. */
export interface HttpAttempt {
  readonly url: URL;
  /** Whether credentials were sent. */
  readonly hasCredentials: boolean;
}

/** What is wrong, and what to do about it. */
type Explanation = readonly [text: string, hint: string | undefined];

const TRUST = "Set NODE_EXTRA_CA_CERTS to the file of the authority that signed it, for the assistant as well.";

/** What network failures mean, by the codes that Node gives them. */
const NETWORK: ReadonlyMap<string, (url: URL) => Explanation> = new Map([
  ["ECONNREFUSED", ({ host }) => [`Nothing listens at ${host}`, "Start the server, or correct the port."]],
  ["ENOTFOUND", ({ hostname }) => [`There is no host ${hostname}`, "Correct the name, or look at the connection."]],
  ["EAI_AGAIN", ({ hostname }) => [`The name ${hostname} could not be looked up`, "Look at the network connection."]],
  ["ETIMEDOUT", ({ host }) => [`${host} cannot be reached`, "Look at the network, a firewall or a VPN."]],
  ["EHOSTUNREACH", ({ host }) => [`${host} cannot be reached`, "Look at the network, a firewall or a VPN."]],
  ["ENETUNREACH", ({ host }) => [`${host} cannot be reached`, "Look at the network, a firewall or a VPN."]],
  ["ECONNRESET", hungUp],
  ["EPIPE", hungUp],
  ["EPROTO", noTls],
  ["ERR_SSL_WRONG_VERSION_NUMBER", noTls],
  ["ERR_SSL_PACKET_LENGTH_TOO_LONG", noTls],
  ["CERT_HAS_EXPIRED", () => ["The certificate of the server has expired", "Renew it, or look at the clock."]],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", () => ["The server signed its certificate itself", TRUST]],
  ["SELF_SIGNED_CERT_IN_CHAIN", () => ["The certificate is signed by an authority that Node does not know", TRUST]],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", () => ["The server leaves out a part of its certificate chain", TRUST]],
  [
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    () => ["The certificate is signed by an authority that Node does not know", TRUST],
  ],
  [
    "ERR_TLS_CERT_ALTNAME_INVALID",
    ({ hostname }) => [`The certificate is for another name than ${hostname}`, "Use the name that it is for."],
  ],
]);

/** What answers without MCP in them mean, by their status. */
const STATUS: ReadonlyMap<number, Explanation> = new Map([
  [404, ["There is no MCP endpoint at this address (HTTP 404)", "Correct the path: it is mostly /mcp."]],
  [405, ["The address takes no MCP messages (HTTP 405)", "Correct the path: it is mostly /mcp."]],
  [406, ["The server refuses the formats of MCP (HTTP 406)", undefined]],
  [408, ["The server gave up waiting (HTTP 408)", "Try again."]],
  [410, ["The endpoint is gone (HTTP 410)", "Look for its new address."]],
  [413, ["The server refuses even a short message (HTTP 413)", undefined]],
  [415, ["The server refuses JSON (HTTP 415)", "Correct the path: it is mostly /mcp."]],
  [421, ["The server does not serve this host name (HTTP 421)", "Use the name that the server was set up for."]],
  [429, ["The server is asked too often (HTTP 429)", "Wait, and try again."]],
]);

/** Says what kept a server at an address from being reached, and what to do about it. */
export function explainHttpFailure(error: unknown, attempt: HttpAttempt): Finding {
  const [text, hint] = explain(error, attempt);
  return failed(text, hint);
}

/** What the server answered in place of a message; `undefined` where it answered something else or nothing. */
export function readRefusal(error: unknown): HttpRefusal | undefined {
  for (let cause = error; isRecord(cause); cause = cause["cause"]) {
    if (typeof cause["status"] === "number" && typeof cause["body"] === "string")
      return cause as unknown as HttpRefusal; // only answers have both
  }
  return undefined;
}

function explain(error: unknown, attempt: HttpAttempt): Explanation {
  const { url } = attempt;
  if (error instanceof MCPTimeoutError) {
    const seconds = Math.round(error.timeoutMs / 1_000);
    return [`The server did not answer within ${seconds} s`, 'It may be starting: try again, or raise "--timeout".'];
  }
  const refusal = readRefusal(error);
  if (refusal !== undefined) return explainRefusal(refusal, attempt);
  const network = NETWORK.get(readCode(error) ?? "");
  if (network !== undefined) return network(url);
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof JsonRpcError) return [`The server answered with error ${error.code}: ${message}`, undefined];
  if (!(error instanceof MortiseError)) return [message, undefined];
  switch (error.code) {
    case "initialize_refused":
      return [message, "Correct the path, which is mostly /mcp, or look at the log of the server."];
    case "redirect_refused":
      return [message, "Use the address that the redirect leads to."];
    case "unsupported_version":
      return [message, "The server needs an update, or this command does."];
    case "stream_ended":
      return [message, "Look at the log of the server, and at proxies before it."];
    default:
      return [message, undefined];
  }
}

function explainRefusal({ status, body, challenge, retryAfter }: HttpRefusal, attempt: HttpAttempt): Explanation {
  if (status === 401) return explainLogin(challenge, attempt);
  if (/^\s*</.test(body) && !/^\s*<\?xml/.test(body)) {
    return [`A web page answers there, no MCP server (HTTP ${status})`, "Correct the path: it is mostly /mcp."];
  }
  if (status === 403) return explainForbidden(challenge, body);
  if (/HTTP request was sent to HTTPS port/i.test(body))
    return ["The server wants TLS on this port", `Use https://${attempt.url.host}.`];
  const known = STATUS.get(status);
  const quote = body.trim() === "" ? "" : `: ${body.trim()}`;
  if (known !== undefined) {
    const [text, hint] = known;
    return [text + quote, status === 429 && retryAfter !== undefined ? `Wait for ${retryAfter}, and try again.` : hint];
  }
  if (status >= 500) return [`The server failed (HTTP ${status})${quote}`, "Look at the log of the server."];
  if (status >= 200 && status < 300)
    return [`What answers there is no MCP server (HTTP ${status})${quote}`, "Correct the path: it is mostly /mcp."];
  return [`The server refused the first message (HTTP ${status})${quote}`, "Look at the log of the server."];
}

function explainLogin(challenge: string | undefined, { hasCredentials }: HttpAttempt): Explanation {
  if (hasCredentials) {
    const reason = readParam(challenge, "error_description") ?? readParam(challenge, "error");
    const detail = reason === undefined ? "" : `: ${reason}`;
    return [
      `The server does not accept these credentials (HTTP 401)${detail}`,
      "Get new ones, or send another header.",
    ];
  }
  if (readParam(challenge, "resource_metadata") !== undefined) {
    return [
      "The server wants a login (HTTP 401)",
      'Assistants that can log in open a page for it. With a token of your own, use --header "Authorization: Bearer …".',
    ];
  }
  return [
    "The server wants credentials (HTTP 401), and does not say where to log in",
    'Use --header "Authorization: Bearer …", or the header that its documentation names.',
  ];
}

function explainForbidden(challenge: string | undefined, body: string): Explanation {
  const scope = readParam(challenge, "scope");
  if (readParam(challenge, "error") === "insufficient_scope")
    return [`The token lacks a scope (HTTP 403)${scope === undefined ? "" : `: ${scope}`}`, "Log in again for it."];
  const quote = body.trim() === "" ? "" : `: ${body.trim()}`;
  return [`The server forbids access (HTTP 403)${quote}`, "It may allow other names of the host, or other users."];
}

/** A parameter of a `WWW-Authenticate` header. */
function readParam(challenge: string | undefined, name: string): string | undefined {
  const [, quoted, plain] =
    new RegExp(`(?:^|[\\s,])${name}=(?:"([^"]*)"|([^\\s,"]+))`, "i").exec(challenge ?? "") ?? [];
  return quoted ?? plain;
}

/** The code of the system's or TLS's error below. */
function readCode(error: unknown): string | undefined {
  let found: string | undefined;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // The codes of this package's own errors are in lower case.
    if ("code" in cause && typeof cause.code === "string" && /^[A-Z]/.test(cause.code)) found = cause.code;
  }
  return found;
}

function hungUp({ protocol, host }: URL): Explanation {
  const hint = protocol === "http:" ? `It may want TLS: try https://${host}.` : "Look at proxies before the server.";
  return [`${host} hung up without an answer`, hint];
}

function noTls({ host }: URL): Explanation {
  return [`${host} does not speak TLS`, `Use http://${host}, if that is meant.`];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
