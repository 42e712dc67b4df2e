import {
  createEnvelope,
  createNotification,
  createRequest,
  encodeHeaderValue,
  isObject,
  type JsonObject,
  LOG_LEVEL_KEY,
  type LogLevel,
  MortiseError,
  type RequestId,
  type Revision,
  SERVER_INFO_KEY,
  toError,
} from "@mortise/core";
import { isResult, readRefused } from "../answer.js";
import { describeServer } from "../describe-server.js";
import type { Identity, RequestControl, Session } from "../era.js";
import { type Flight, type Link, type LinkListener, type SendOptions, SILENT_LISTENER } from "../link.js";
import type { HeaderList } from "../platform/platform.js";

/** The method that every modern server has. */
export const DISCOVER = "server/discover";

/** Which member of `params` is mirrored into `Mcp-Name`. https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#standard-request-headers */
const NAME_MEMBERS: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
]);
const NO_HEADERS: HeaderList = [];

/** Sends requests of one modern revision over a link. */
export interface ModernSpeaker {
  readonly revision: Revision;
  /** Log messages wanted with every request, from this level up; a request may ask for another one. */
  logLevel: LogLevel | undefined;
  send(
    method: string,
    params: JsonObject | undefined,
    control?: Partial<RequestControl> & Pick<SendOptions, "onNotification">,
  ): { readonly id: RequestId; readonly flight: Flight };
}

/** Prepares speaking one modern revision: version, identity and abilities go with every request. */
export function createSpeaker(options: {
  link: Link;
  revision: Revision;
  identity: Identity;
  nextId: () => number;
}): ModernSpeaker {
  const { link, revision, identity, nextId } = options;
  const envelope = createEnvelope({
    version: revision.id,
    clientInfo: identity.clientInfo,
    capabilities: identity.describe(revision),
  });
  const speaker: ModernSpeaker = {
    revision,
    logLevel: undefined,
    send(method, params, control) {
      const { logLevel } = speaker;
      const defaults = logLevel === undefined ? undefined : { [LOG_LEVEL_KEY]: logLevel };
      const id = nextId();
      const own = isObject(params?._meta) ? params._meta : undefined;
      const meta = own === undefined && defaults === undefined ? envelope : { ...defaults, ...own, ...envelope };
      const _meta = control?.onProgress === undefined ? meta : { ...meta, progressToken: id };
      const headers =
        link.shape === "http"
          ? createHeaders(revision.id, method, params, { mirror: control?.mirror ?? NO_HEADERS, identity })
          : NO_HEADERS;
      const request = createRequest(id, method, { ...params, _meta });
      return {
        id,
        flight: link.send(request, {
          headers,
          onProgress: control?.onProgress,
          onNotification: control?.onNotification,
          alone: method === DISCOVER,
        }),
      };
    },
  };
  return speaker;
}

/** A session with a modern server, from what `server/discover` said. The protocol itself keeps no state. */
export function createModernSession(options: {
  link: Link;
  speaker: ModernSpeaker;
  discovered: JsonObject;
  identity: Identity;
  onNotification: LinkListener["onNotification"];
  onProblem: (problem: Error) => void;
}): Session {
  const { link, speaker, discovered, onProblem } = options;
  const meta = isObject(discovered._meta) ? discovered._meta : {};
  const server = describeServer(speaker.revision, discovered, meta[SERVER_INFO_KEY]);
  /** Requests that wait for somebody on this side: nothing of theirs is on its way. */
  const waiting = new Set<RequestControl>();
  link.listener = {
    ...SILENT_LISTENER,
    onNotification: options.onNotification,
    onRequest() {
      onProblem(
        new MortiseError("invalid_response", "Ignored a request of the server: modern servers do not send any"),
      );
    },
    onClose(reason) {
      for (const control of waiting) control.stop(reason);
    },
  };
  const cancel: Session["cancel"] = (id, reason) => {
    // Over HTTP closing the exchange is the cancellation, and it has been closed.
    if (link.shape === "pipe")
      link
        .post(createNotification("notifications/cancelled", { requestId: id, reason }), NO_HEADERS)
        .catch((error: unknown) => onProblem(toError(error)));
  };
  return {
    revision: speaker.revision,
    server,
    mirrorsParams: link.shape === "http",
    tellsFreshness: true,
    pingMethod: DISCOVER,
    link,
    async request(method, params, control) {
      const { id, flight } = speaker.send(method, params, control);
      control.track(flight, id);
      const answer = await flight.answer;
      const result = isResult(answer) ? answer.result : await readRefused(answer, control);
      if (result.resultType === undefined || result.resultType === "complete") return result;
      control.onAsked?.();
      waiting.add(control);
      try {
        const { finishResult } = await control.orStopped(() => import("./finish-result.js"));
        return await finishResult(result, { method, params, control, speaker, server, identity: options.identity });
      } finally {
        waiting.delete(control);
      }
    },
    async watch(watching) {
      const { listen } = await import("./listen.js");
      return listen({
        watching,
        send: (params, onNotification) => speaker.send("subscriptions/listen", params, { onNotification }),
        cancel,
        onProblem,
      });
    },
    setLogLevel(level) {
      speaker.logLevel = level;
      return undefined;
    },
    // Modern servers ask when they need to know.
    notifyRootsChanged: () => Promise.resolve(),
    cancel,
    close: (reason) => link.close(reason),
  };
}

function createHeaders(
  version: string,
  method: string,
  params: JsonObject | undefined,
  { mirror, identity }: { mirror: HeaderList; identity: Identity },
): HeaderList {
  const member = NAME_MEMBERS.get(method) ?? identity.findMirrored(method);
  const name = member === undefined ? undefined : params?.[member];
  const named = typeof name === "string" ? ["Mcp-Name", encodeHeaderValue(name)] : [];
  return ["MCP-Protocol-Version", version, "Mcp-Method", encodeHeaderValue(method), ...named, ...mirror];
}
