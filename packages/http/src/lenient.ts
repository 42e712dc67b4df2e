import {
  checkOptions,
  classifyMessage,
  FLAG,
  isObject,
  type JsonObject,
  type MessageKind,
  type OptionRules,
} from "@mortise/core";

/** Departures from the specification for peers that need them, each by itself. What is not named here is never excused. */
export interface LenientOptions {
  /** Takes several messages as one array on every legacy revision; 2025-03-26 alone has that. @default false */
  readonly batches?: boolean | undefined;
  /** Takes `"id": null` for no id, so that such a message is a notification. @default false */
  readonly nullId?: boolean | undefined;
  /** Takes an id that is a number with a fraction, outside arrays, and answers with it. @default false */
  readonly fractionalId?: boolean | undefined;
  /** Takes `"params": null` for no params. @default false */
  readonly nullParams?: boolean | undefined;
}

/** How messages are read: what is excused first, then what they are. */
export interface MessageReader {
  /** Whether arrays are taken on legacy revisions that do not have them. */
  readonly batches: boolean;
  /** The message as a stricter sender would have written it. */
  tidy(message: unknown): unknown;
  /** What a tidied message is. */
  classify(message: unknown): MessageKind;
}

const RULES: OptionRules<LenientOptions> = { batches: FLAG, nullId: FLAG, fractionalId: FLAG, nullParams: FLAG };

/** Builds the reader of messages. Throws `invalid_options`. */
export function createMessageReader(lenient: LenientOptions): MessageReader {
  checkOptions(lenient, RULES, "lenient.");
  const { batches = false, fractionalId = false } = lenient;
  const dropped = [...(lenient.nullId ? ["id"] : []), ...(lenient.nullParams ? ["params"] : [])];
  const tidyOne = (message: unknown): unknown => (isObject(message) ? dropNulls(message, dropped) : message);
  return {
    batches,
    tidy(message) {
      if (dropped.length === 0) return message;
      return Array.isArray(message) ? message.map(tidyOne) : tidyOne(message);
    },
    classify(message) {
      const kind = classifyMessage(message);
      return kind === "invalid" && fractionalId && hasFractionalId(message) ? "request" : kind;
    },
  };
}

/** Errors without an id are written with `"id": null` by older peers, and stay as they are. */
function dropNulls(message: JsonObject, members: readonly string[]): unknown {
  if (typeof message.method !== "string") return message;
  return Object.fromEntries(
    Object.entries(message).filter(([member, value]) => value !== null || !members.includes(member)),
  );
}

function hasFractionalId(message: unknown): boolean {
  if (!isObject(message) || !Number.isFinite(message.id) || Number.isInteger(message.id)) return false;
  return classifyMessage({ ...message, id: 0 }) === "request";
}
