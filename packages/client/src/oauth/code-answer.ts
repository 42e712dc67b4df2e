import { MortiseError } from "@mortise/core";
import type { ServerMetadata } from "./server-metadata.js";

/** What an answer of a login page is compared with. */
export interface ExpectedAnswer {
  /** The metadata of the server that the user was sent to. */
  readonly metadata: Pick<ServerMetadata, "issuer" | "issParameterSupported">;
  readonly state: string;
}

/** What answers have that give something else than a code, which was not asked for. */
const OTHER_ANSWERS = ["response", "id_token", "token"] as const;

/**
 * Takes the code out of what a login page answered. Who answers is compared before anything else of the answer is looked at, also
 * when it is an error. Rejects with `login_denied` when the user said no, else `login_failed`.
 * See https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#authorization-response-validation
 */
export async function readCode(params: URLSearchParams, { metadata, state }: ExpectedAnswer): Promise<string> {
  const { issuer, issParameterSupported } = metadata;
  const iss = readOnce(params, "iss");
  if (iss !== undefined && iss !== issuer) throw refuse("it comes from another authorization server");
  if (iss === undefined && issParameterSupported)
    throw refuse("it does not say which authorization server it comes from");
  if (readOnce(params, "state") !== state) throw refuse("it belongs to another login");
  const error = readOnce(params, "error");
  if (error) {
    const { createDenial } = await import("./refused-answer.js");
    throw createDenial(error, params.get("error_description") ?? undefined);
  }
  if (OTHER_ANSWERS.some((name) => params.has(name))) throw refuse("it has more than a code");
  const code = readOnce(params, "code");
  if (!code) throw refuse("it has no code");
  return code;
}

/** Of a parameter that comes twice, everybody on the way could have believed another one. */
function readOnce(params: URLSearchParams, name: string): string | undefined {
  const [value, ...others] = params.getAll(name);
  if (others.length > 0) throw refuse(`it has several values of "${name}"`);
  return value;
}

/** Names the reason alone: nothing of an answer that is not trusted is shown. */
function refuse(reason: string): MortiseError {
  return new MortiseError("login_failed", `Refused the answer of the login page: ${reason}`);
}
