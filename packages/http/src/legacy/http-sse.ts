import type { PipeConnection } from "@mortise/server/transport";
import type { EdgeReply } from "../edge-reply.js";
import type { EventSink } from "../event-sink.js";
import type { Exchange } from "../exchange.js";
import type { Visit } from "../visit.js";
import type { SessionParts } from "./index.js";
import { createRandomId } from "./random-id.js";

/** One client: the stream it reads, and the line of messages behind it. */
interface Stream {
  readonly connection: PipeConnection;
  readonly sink: EventSink;
  readonly principal: string | undefined;
}

/** A client that does not read its answers gets no more of them than this. */
const MAX_BACKLOG = 1_048_576;
const TAKEN_OVER: EdgeReply = Object.freeze({ status: 0 });
const ACCEPTED: EdgeReply = Object.freeze({ status: 202 });

/**
 * The HTTP+SSE transport: a stream of events for what the server says, and POST requests for what the client says. A stream is a pipe of
 * its own, and ends with its connection: no later stream could take what is left. Calls that are being worked on then are aborted, or
 * go on without an answer, as `onDisconnect.legacy` tells.
 *
 * Follows https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 */
export class HttpSse {
  readonly #parts: SessionParts;
  readonly #toldPath: string;
  /** The protocol versions that can be agreed on here. */
  readonly #versions: readonly string[];
  readonly #streams = new Map<string, Stream>();

  /** `toldPath` is what clients are told of the place that takes messages. */
  constructor(parts: SessionParts, toldPath: string) {
    this.#parts = parts;
    this.#toldPath = toldPath;
    this.#versions = parts.policy().versions.filter((version) => parts.REVISIONS.get(version)?.era === "legacy");
  }

  /** Opens a stream. Gives an answer where none can be opened, else status 0. */
  open(visit: Visit): EdgeReply {
    const { server, settings, refuse } = this.#parts;
    if (!visit.acceptance.events) return refuse(406, "Expected the Accept header to list text/event-stream");
    if (server.closed) return refuse(503, "The server is closing", ["Retry-After", "1"]);
    if (this.#streams.size >= settings.maxSessions)
      return refuse(503, "Too many streams are open", ["Retry-After", "10"]);
    const id = createRandomId();
    const sink = this.#parts.createSink(visit);
    void sink.push(`event: endpoint\ndata: ${this.#formatEndpoint(visit.exchange)}?sessionId=${id}\n\n`);
    this.#connect(id, visit, sink);
    return TAKEN_OVER;
  }

  /** Takes one message. What there is to answer goes to the stream. */
  receive({ exchange, principal, message, selection }: Visit): EdgeReply {
    const { refuse, readableId } = this.#parts;
    const id = readSessionId(exchange.url);
    if (id === null) return refuse(400, 'Expected the query to name a "sessionId"');
    const stream = this.#streams.get(id);
    // Who is not its owner learns no more than who invents an id.
    if (stream === undefined || stream.principal !== principal) return refuse(404, "Expected the id of an open stream");
    if (selection?.era === "modern")
      return { ...refuse(400, "Expected a legacy revision: no other has this transport"), id: readableId(message) };
    if (stream.sink.backlog > MAX_BACKLOG)
      return refuse(503, "Expected the answers to be read first", ["Retry-After", "1"]);
    stream.connection.receive(message);
    return ACCEPTED;
  }

  #connect(id: string, { exchange, principal, auth }: Visit, sink: EventSink): void {
    const { server, keepAlive } = this.#parts;
    const stopKeepAlive = keepAlive().start(() => sink.keepAlive());
    // The protocol's own headers tell of one message, and this request has none.
    const header = (name: string): string | undefined => (name.startsWith("mcp-") ? undefined : exchange.header(name));
    const connection = server.connectPipe({
      transport: "http",
      caller: { principal, auth, header, context: exchange.context, sessionId: id, versions: this.#versions },
      write: (text) => sink.push(`event: message\ndata: ${text}\n\n`),
      get backlog() {
        return sink.backlog;
      },
      onClose: () => {
        this.#streams.delete(id);
        stopKeepAlive();
        sink.end();
      },
    });
    this.#streams.set(id, { connection, sink, principal });
    exchange.whenGone(() => {
      this.#streams.delete(id);
      stopKeepAlive();
      sink.drop();
      this.#leave(connection);
    });
  }

  #leave(connection: PipeConnection): void {
    if (this.#parts.policy().onDisconnect.legacy === "abort") connection.close();
    else void connection.finish({ drain: Number.POSITIVE_INFINITY });
  }

  /** The path behind the mount point that a framework cut off, so that it is found from outside. */
  #formatEndpoint({ mount }: Exchange): string {
    const told = this.#toldPath;
    // Two slashes in front would name another host.
    return told.startsWith("/") && !mount.startsWith("//") ? mount + told : told;
  }
}

function readSessionId(url: string): string | null {
  const mark = url.indexOf("?");
  return mark === -1 ? null : new URLSearchParams(url.slice(mark)).get("sessionId");
}
