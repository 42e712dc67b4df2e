import { isObject } from "@mortise/core";
import { parseJson } from "../json-text.js";
import type { GuardedAnswer } from "./guarded-request.js";
import type { ClientIdentity } from "./token-set.js";

/** An object as it was sent, or a form. */
export type Members = Readonly<Record<string, unknown>>;

/** What was asked, for what is said of a refusal. */
export interface Asked {
  /** In words, such as "the token request". */
  readonly what: string;
  /** The form that was sent, with what nobody should read in a message, should a server repeat it. */
  readonly form?: SentForm | undefined;
}

/** A form as it was sent. */
export interface SentForm {
  readonly client: ClientIdentity;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: URLSearchParams;
}

/**
 * Gives the members of what an authorization server answered, without those that are `null`; values are left to be judged. Rejects with
 * `login_failed`, or `login_denied`, when it refused; `readRefusal` tells what it said. Reading that is loaded with the first answer
 * that is no plain yes.
 */
export async function readServerAnswer(answer: GuardedAnswer, asked: Asked): Promise<Members> {
  const parsed = parseJson(answer.text);
  const members = isObject(parsed)
    ? Object.fromEntries<unknown>(Object.entries(parsed).filter(([, value]) => value !== null))
    : undefined;
  const isFine = answer.status >= 200 && answer.status < 300;
  if (isFine && members !== undefined && !("error" in members)) return members;
  const { readOddAnswer } = await import("./refused-answer.js");
  return readOddAnswer(answer, members, asked);
}
