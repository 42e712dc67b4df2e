import type { Revision } from "@mortise/core";
import type { Agreement, Carrier } from "@mortise/server/transport";
import type { Answer } from "../answer.js";
import type { Asked } from "./open-questions.js";
import type { Serving } from "./serving.js";
import type { SessionHub } from "./session-hub.js";
import type { SessionRecord } from "./session-store.js";
import { sendElsewhere, sessionTopic, type Word } from "./session-streams.js";

/** How many single resources one session may watch. */
const MAX_WATCHED = 1_000;
const INVALID_PARAMS = -32602;

/** A session as one of its requests finds it. */
export interface Session {
  readonly id: string;
  readonly principal: string | undefined;
  readonly revision: Revision;
  readonly record: SessionRecord;
}

/** Wraps an answer in what its session knows. */
export function createSessionCarrier(session: Session, { hub, answer, changes }: Serving): Carrier {
  const { keeper, parts } = hub;
  const { getStream } = parts.settings;
  const { change } = keeper ?? {};
  // Filled in step by step, since copying members costs more than the rest of a small request.
  const carrier = createPlainCarrier(answer);
  carrier.sessionId = session.id;
  carrier.agreement = toAgreement(session);
  carrier.announces = getStream;
  if (answer.keep !== undefined) carrier.closeStream = (retry) => answer.pause(retry);
  if (answer.streams || getStream) carrier.request = createRequester(hub, session, answer);
  if (change === undefined) return carrier;
  carrier.agree = ({ logLevel }) => changes.add(change(session.id, (record) => ({ ...record, logLevel })));
  if (getStream) carrier.watched = createWatched(hub, session);
  return carrier;
}

/** A carrier in the making. */
type Draft = { -readonly [Member in keyof Carrier]: Carrier[Member] };

/** The members of a carrier that an answer has by itself. */
export function createPlainCarrier(answer: Answer): Draft {
  const { transport, versions, header, principal, auth, context } = answer;
  return { transport, versions, header, principal, auth, context, send: (notice) => answer.send(notice) };
}

function toAgreement({ revision, record }: Session): Agreement {
  const { clientInfo, capabilities, logLevel } = record;
  return { revision, clientInfo, capabilities, logLevel };
}

/** A question goes on the stream of the request it belongs to, else on one that the client has open. */
function createRequester(hub: SessionHub, session: Session, answer: Answer): NonNullable<Carrier["request"]> {
  const { parts, questions } = hub;
  const deliver = (text: string): boolean | Promise<boolean> => {
    if (answer.deliver(text)) return true;
    if (!parts.settings.getStream) return false;
    return hub.find(session.id)?.streams?.deliver(text) || sendElsewhere(parts, session.id, text);
  };
  const asked: Asked = { session: session.id, principal: session.principal };
  return (method, params, { signal }) => questions.put({ ...asked, method, params, signal, deliver });
}

function createWatched({ keeper, parts }: SessionHub, { id }: Session): NonNullable<Carrier["watched"]> {
  const edit = async (uri: string, isWatched: boolean): Promise<void> => {
    await keeper?.change?.(id, (record) => {
      const others = record.watched.filter((each) => each !== uri);
      if (isWatched && others.length >= MAX_WATCHED)
        throw new parts.JsonRpcError(INVALID_PARAMS, `Expected at most ${MAX_WATCHED} watched resources`);
      return { ...record, watched: isWatched ? [...others, uri] : others };
    });
    const word: Word = { kind: "watched", uri, isWatched };
    parts.server.inside.core.publish(sessionTopic(id), word);
  };
  return { add: (uri) => edit(uri, true), delete: (uri) => edit(uri, false) };
}
