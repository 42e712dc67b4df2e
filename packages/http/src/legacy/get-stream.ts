import type { EdgeReply } from "../edge-reply.js";
import type { Visit } from "../visit.js";
import type { Session } from "./session.js";
import type { SessionHub } from "./session-hub.js";
import { type OpenStream, SessionStreams } from "./session-streams.js";

const TAKEN_OVER: EdgeReply = Object.freeze({ status: 0 });

/**
 * Opens the event stream that tells a client of changes: of lists, and of the resources its session watches.
 *
 * Follows https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#listening-for-messages-from-the-server
 */
export function openGetStream(hub: SessionHub, visit: Visit, session: Session | undefined): EdgeReply {
  const { parts } = hub;
  const { core } = parts.server.inside;
  if (core.closed) return { ...parts.refuse(503, "The server is closing"), headers: ["Retry-After", "1"] };
  const sink = parts.createSink(visit);
  const stops: (() => void)[] = [];
  const stream: OpenStream = {
    sink,
    close() {
      leave();
      sink.end();
    },
  };
  const leave = (): void => {
    for (const stop of stops.splice(0)) stop();
  };
  sink.keepAlive(); // the head goes out with it
  stops.push(parts.keepAlive().start(() => sink.keepAlive()));
  stops.push(core.onClose(() => stream.close()));
  if (session !== undefined) stops.push(joinStreams(hub, session, stream));
  else {
    const announcer = parts.server.inside.createAnnouncer((notice) => sink.send(notice));
    announcer.open();
    stops.push(() => announcer.close());
  }
  // It may have left already, and then all of this ends at once.
  visit.exchange.whenGone(() => {
    leave();
    sink.drop();
  });
  return TAKEN_OVER;
}

/** Adds a stream to those of its session. Returns the function that takes it away. */
export function joinStreams(hub: SessionHub, session: Session, stream: OpenStream): () => void {
  const live = hub.enter({ session: session.id, principal: session.principal });
  const streams = live.streams ?? createStreams(hub, session);
  streams.add(stream);
  live.streams = streams;
  return () => {
    streams.remove(stream);
    if (streams.size === 0 && live.streams === streams) live.streams = undefined;
  };
}

function createStreams({ keeper, parts, attempt }: SessionHub, { id, record }: Session): SessionStreams {
  const refresh = async (): Promise<void> => {
    const changed = await keeper?.find(id);
    if (changed !== undefined) streams.watch(changed.watched);
  };
  const streams = new SessionStreams(id, parts, () => void attempt(refresh));
  streams.watch(record.watched);
  return streams;
}
