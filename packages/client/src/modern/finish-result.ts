import { type JsonObject, readAsks } from "@mortise/core";
import type { ConnectResult, Identity, RequestControl } from "../era.js";
import { readAnswer } from "../refused-answer.js";
import { answerRounds } from "./input-rounds.js";
import { handleResult } from "./result-types.js";
import type { ModernSpeaker } from "./session.js";

/** A request that the server has not answered with a complete result. */
export interface OpenRequest {
  readonly method: string;
  readonly params: JsonObject | undefined;
  readonly control: RequestControl;
  readonly speaker: ModernSpeaker;
  readonly server: ConnectResult;
  readonly identity: Identity;
}

/** Does what the server wants until the result is complete. Loaded with the first result that is not. */
export async function finishResult(first: JsonObject, request: OpenRequest): Promise<JsonObject> {
  const result = first.resultType === "input_required" ? await answer(first, request) : first;
  if (result.resultType === undefined || result.resultType === "complete") return result;
  const { method, params, control, identity } = request;
  return handleResult(result, { method, params, control, extensions: identity.extensions });
}

/** Answers what is asked until nothing is. */
function answer(result: JsonObject, request: OpenRequest): Promise<JsonObject> {
  const { method, params, control, speaker, server, identity } = request;
  const { handlers, maxInputRounds: maxRounds } = identity;
  const asks = readAsks(identity.describe(speaker.revision));
  const desk = { handlers, asks, richSamples: speaker.revision.richSamples, serverInfo: server.serverInfo };
  const send = async (again: JsonObject): Promise<JsonObject> => {
    const { id, flight } = speaker.send(method, again, control);
    control.track(flight, id);
    return readAnswer(await flight.answer);
  };
  return answerRounds(result, { method, params, control, desk, maxRounds, send });
}
