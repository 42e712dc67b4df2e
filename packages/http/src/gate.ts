import {
  isThenable,
  type JsonRpcRequest,
  RPC,
  readableId,
  type Selection,
  selectBatch,
  selectEra,
} from "@mortise/core";
import { decodeBytes } from "./decode-bytes.js";
import { type EdgeReply, failInternally, refuse } from "./edge-reply.js";
import { ROOMS } from "./eras.js";
import type { Body, BodyProblem } from "./exchange.js";
import type { Policy } from "./policy.js";
import type { Visit } from "./visit.js";

/** One step of the gate. It gives nothing to let a request on, or the answer that ends it; later, where it has to wait. */
export interface GateStep {
  readonly name: string;
  check(visit: Visit, policy: Policy): EdgeReply | undefined | Promise<EdgeReply | undefined>;
}

/**
 * What every request passes before it is opened, in this order. A step trusts what the steps before it have found.
 * What differs between the eras is checked behind it, by the room that the last step selects.
 */
export const GATE: readonly GateStep[] = [
  { name: "path", check: checkPath },
  { name: "host", check: checkHost },
  { name: "origin", check: checkOrigin },
  { name: "preflight", check: answerPreflight },
  { name: "method", check: checkMethod },
  { name: "auth", check: checkAuth },
  { name: "other methods", check: serveOtherMethods },
  { name: "accept", check: checkAccept },
  { name: "content type", check: checkContentType },
  { name: "size", check: checkSize },
  { name: "body", check: readBody },
  { name: "json", check: decodeJson },
  { name: "message", check: checkMessage },
  { name: "era", check: selectRoom },
  { name: "session", check: findSession },
];

/** Nobody is left to be answered. */
export const NOBODY: EdgeReply = Object.freeze({ status: 0 });

const WRONG_ORIGIN = refuse(403, 'Expected the Origin header to be listed in the option "allowedOrigins"');
const NOT_ACCEPTABLE = refuse(406, "Expected the Accept header to list application/json and text/event-stream");
const NO_ADDRESS = refuse(400, "Expected a request for a valid address");
const WRONG_TYPE = refuse(415, "Expected the Content-Type header to be application/json in UTF-8");
const ENCODED = refuse(415, "Expected a body without Content-Encoding");
/** What the two ends of the HTTP+SSE transport take, besides preflights. */
const TAKEN = { "sse stream": "GET", "sse messages": "POST" };
const CLOSING = ["Connection", "close"];
const CONSUMED = failInternally(
  "The request body was read before it came here: mount this handler before body parsers, or pass the decoded body",
);
const UNASKED_ACCEPT = "A client's Accept header does not list both application/json and text/event-stream";

function checkPath(visit: Visit, { path, legacy }: Policy): EdgeReply | undefined {
  const { exchange } = visit;
  visit.route = legacy?.sse?.route(exchange) ?? "endpoint";
  if (visit.route !== "endpoint" || path === "*" || exchange.path === path) return undefined;
  return refuse(404, `Expected the path ${JSON.stringify(path)}`);
}

function checkHost(visit: Visit, policy: Policy): EdgeReply | undefined {
  return policy.checkHost(visit.exchange);
}

function checkOrigin(visit: Visit, policy: Policy): EdgeReply | undefined {
  const origin = visit.exchange.header("origin");
  if (policy.cors !== undefined) visit.headers = policy.cors.unasked;
  if (origin === undefined) return undefined;
  if (!policy.allowsOrigin(origin)) return WRONG_ORIGIN;
  if (policy.cors !== undefined) visit.headers = policy.cors.forOrigin(origin);
  return undefined;
}

function answerPreflight(visit: Visit, policy: Policy): EdgeReply | undefined | Promise<EdgeReply> {
  if (visit.exchange.method !== "OPTIONS") return undefined;
  return policy.cors?.preflight(visit.exchange, visit.headers);
}

function checkMethod({ exchange, route }: Visit, { allowedMethods, cors }: Policy): EdgeReply | undefined {
  const allowed = route === "endpoint" ? allowedMethods : [TAKEN[route], ...(cors === undefined ? [] : ["OPTIONS"])];
  if (allowed.includes(exchange.method)) return undefined;
  const allow = allowed.join(", ");
  return refuse(405, `Expected the method to be one of ${allow}`, ["Allow", allow, "Cache-Control", "no-store"]);
}

function checkAuth(visit: Visit, { auth, onError }: Policy): EdgeReply | undefined | Promise<EdgeReply | undefined> {
  if (auth === undefined) return undefined;
  return verify(visit, auth).catch((error: unknown) => {
    onError(error);
    return failInternally();
  });
}

async function verify(visit: Visit, auth: NonNullable<Policy["auth"]>): Promise<EdgeReply | undefined> {
  const { exchange } = visit;
  if (!URL.canParse(exchange.url)) return NO_ADDRESS;
  const verdict = await auth.verify({
    method: exchange.method,
    url: new URL(exchange.url).href, // written as addresses are, so that none ends a quoted text it is put into
    header: (name) => exchange.header(name.toLowerCase()),
    auth: exchange.auth,
  });
  if ("refused" in verdict) return refuse(verdict.refused.status, verdict.refused.message, verdict.refused.headers);
  visit.principal = verdict.principal;
  visit.auth = verdict.auth;
  return undefined;
}

/** Requests without a message end here: what follows is about messages. */
function serveOtherMethods(visit: Visit, { legacy, readAccept }: Policy): EdgeReply | undefined | Promise<EdgeReply> {
  if (visit.exchange.method === "POST" || legacy === undefined) return undefined;
  visit.acceptance = readAccept(visit.exchange.header("accept"));
  return visit.route === "sse stream" ? legacy.sse?.open(visit) : legacy.serve(visit);
}

function checkAccept(visit: Visit, policy: Policy): EdgeReply | undefined {
  if (visit.route !== "endpoint") return undefined; // what it is answered with comes elsewhere
  const header = visit.exchange.header("accept");
  const acceptance = policy.readAccept(header);
  visit.acceptance = acceptance;
  if (policy.requireAccept === "off") return undefined;
  if (header !== undefined && acceptance.json && acceptance.events) return undefined;
  if (policy.requireAccept === "strict") return NOT_ACCEPTABLE;
  policy.warn(UNASKED_ACCEPT);
  return undefined;
}

function checkContentType({ exchange }: Visit, policy: Policy): EdgeReply | undefined {
  if (!policy.allowsContentType(exchange.header("content-type"))) return WRONG_TYPE;
  const encoding = exchange.header("content-encoding");
  return encoding === undefined || encoding.toLowerCase() === "identity" ? undefined : ENCODED;
}

function checkSize({ exchange }: Visit, { maxBytes }: Policy): EdgeReply | undefined {
  const declared = exchange.header("content-length");
  return declared !== undefined && Number(declared) > maxBytes ? refuseSize(maxBytes) : undefined;
}

function readBody(visit: Visit, { maxBytes }: Policy): Promise<EdgeReply | undefined> | EdgeReply | undefined {
  const { exchange } = visit;
  const { parsedBody } = exchange;
  if (parsedBody === undefined) return exchange.readBody(maxBytes).then((body) => takeBody(visit, body, maxBytes));
  // Parsers of text and of bytes leave the decoding to whoever comes next.
  if (typeof parsedBody === "string") visit.text = parsedBody;
  else if (parsedBody instanceof Uint8Array) return takeBody(visit, decodeBytes(parsedBody), maxBytes);
  else visit.message = parsedBody;
  return undefined;
}

function takeBody(visit: Visit, body: Body, maxBytes: number): EdgeReply | undefined {
  if ("problem" in body) return refuseBody(body.problem, maxBytes);
  visit.text = body.text;
  return undefined;
}

function refuseBody(problem: BodyProblem, maxBytes: number): EdgeReply {
  switch (problem) {
    case "too_large":
      return refuseSize(maxBytes);
    case "not_utf8":
      return { status: 400, error: { code: RPC.parseError, message: "Expected the body to be valid UTF-8" } };
    case "consumed":
      return CONSUMED;
    case "gone":
      return NOBODY;
  }
}

function refuseSize(maxBytes: number): EdgeReply {
  return refuse(413, `Expected a body of at most ${maxBytes} bytes`, CLOSING);
}

function decodeJson(visit: Visit, { repeats }: Policy): EdgeReply | undefined | Promise<EdgeReply | undefined> {
  if (visit.message !== undefined) return undefined; // a framework has decoded it
  try {
    visit.message = JSON.parse(visit.text);
  } catch {
    return { status: 400, error: { code: RPC.parseError, message: "Expected the body to be JSON" } };
  }
  const repeated = repeats(visit.text);
  visit.text = "";
  return isThenable(repeated) ? repeated.then(judgeRepetition) : judgeRepetition(repeated);
}

/** Two readers of such a body, a proxy and this server, could each take a different one. */
function judgeRepetition(repeated: boolean): EdgeReply | undefined {
  return repeated ? refuse(400, "Expected every member of the message once") : undefined;
}

function checkMessage(visit: Visit, { messages }: Policy): EdgeReply | undefined {
  visit.message = messages.tidy(visit.message);
  visit.kind = messages.classify(visit.message);
  if (visit.kind !== "invalid") return undefined;
  const reply = refuse(400, "Expected a JSON-RPC 2.0 request or notification");
  return { ...reply, id: readableId(visit.message) };
}

function selectRoom(visit: Visit, { assumed, messages, legacy }: Policy): EdgeReply | undefined | Promise<EdgeReply> {
  const { batches } = messages;
  const hints = { headerVersion: visit.exchange.header("mcp-protocol-version"), assumed, batches };
  const selection: Selection =
    visit.kind === "batch"
      ? selectBatch(visit.message as readonly unknown[], hints) // what is classified as a batch is an array
      : selectEra(visit.message as JsonRpcRequest, hints); // looks at `method` and `params` alone, which notifications share
  visit.selection = selection;
  if (visit.route === "sse messages") return legacy?.sse?.receive(visit);
  if (selection.era !== "refused") return undefined;
  const { refusal } = selection;
  return { status: refusal.status, error: refusal.error, id: readableId(visit.message) };
}

function findSession(visit: Visit, policy: Policy): EdgeReply | undefined | Promise<EdgeReply | undefined> {
  const { selection } = visit;
  return selection === undefined || selection.era === "refused"
    ? undefined
    : ROOMS[selection.era].admit?.(visit, policy);
}
