import { describeType, MortiseError } from "@mortise/core";
import type { GrantContext } from "../grant.js";

export const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** What an assertion is wanted for. */
export interface AssertionRequest {
  /** The configured address of the MCP endpoint. */
  readonly server: URL;
  /** The identifier of the protected server, as it publishes it. */
  readonly resource: string;
  /** The authorization server that tokens come from: the audience of assertions made for it. */
  readonly issuer: string;
  readonly scope: string | undefined;
  readonly signal: AbortSignal;
}

/** A token that says who somebody is: as it is, or got anew whenever one is needed. */
export type Assertion = string | ((request: AssertionRequest) => string | Promise<string>);

/** Gets an assertion. Throws `invalid_options` when it is no text; what its function throws passes. */
export async function readAssertion(name: string, assertion: Assertion, context: GrantContext): Promise<string> {
  const { server, resource, metadata, scope, signal } = context;
  const given: unknown =
    typeof assertion === "function"
      ? await assertion({ server, resource: resource.resource, issuer: metadata.issuer, scope, signal })
      : assertion;
  signal.throwIfAborted();
  const text = typeof given === "string" ? given.trim() : ""; // files end with a line end
  if (text !== "") return text;
  const received = typeof given === "string" ? "an empty one" : describeType(given);
  throw new MortiseError("invalid_options", `Expected "${name}" to be a string, received ${received}`);
}
