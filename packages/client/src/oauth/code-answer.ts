import { MortiseError } from "@mortise/core";
import * as oauth from "oauth4webapi";
import type { ServerMetadata } from "./server-metadata.js";

/** What an answer of a login page is compared with. */
export interface ExpectedAnswer {
  /** The metadata of the server that the user was sent to. */
  readonly metadata: Pick<ServerMetadata, "issuer" | "issParameterSupported">;
  readonly clientId: string;
  readonly state: string;
}

/**
 * Takes the code out of what a login page answered. Who answers is compared before anything else of the answer is looked at, also
 * when it is an error. Rejects with `login_denied` when the user said no, else `login_failed`.
 * See https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#authorization-response-validation
 */
export async function readCode(params: URLSearchParams, expected: ExpectedAnswer): Promise<string> {
  const { metadata, clientId, state } = expected;
  const { issuer, issParameterSupported } = metadata;
  // Also an empty one is another: the library takes it for none.
  if (params.getAll("iss").some((iss) => iss !== issuer)) throw refuse("it comes from another authorization server");
  const server = { issuer, authorization_response_iss_parameter_supported: issParameterSupported };
  try {
    oauth.validateAuthResponse(server, { client_id: clientId }, params, state);
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) {
      const { createDenial } = await import("./refused-answer.js");
      throw createDenial(error.error, error.error_description);
    }
    if (!(error instanceof Error)) throw error;
    throw refuse(error.message);
  }
  const [code = "", ...others] = params.getAll("code");
  if (others.length > 0) throw refuse("it has several codes");
  if (code === "") throw refuse("it has no code");
  return code;
}

/** Names the reason alone: nothing of an answer that is not trusted is shown. */
function refuse(reason: string): MortiseError {
  return new MortiseError("login_failed", `Refused the answer of the login page: ${reason}`);
}
