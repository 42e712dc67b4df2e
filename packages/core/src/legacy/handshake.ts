import { invalidParams } from "../errors.js";
import { type Implementation, readImplementation } from "../implementation.js";
import { isObject, type JsonObject } from "../json.js";

/** What a legacy client says when it opens. */
export interface InitializeInput {
  readonly protocolVersion: string;
  readonly capabilities: JsonObject;
  readonly clientInfo: Implementation | undefined;
}

/** What a legacy server answers to `initialize`. */
export interface InitializeResult {
  readonly protocolVersion: string;
  readonly capabilities: JsonObject;
  readonly serverInfo: Implementation;
  readonly instructions?: string | undefined;
}

/**
 * Reads `initialize` params. Throws a `JsonRpcError` (-32602) naming the first member that is wrong. Capabilities and
 * client information may be missing, since clients in the field leave them out.
 *
 * Follows https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization
 */
export function parseInitialize(params: JsonObject | undefined): InitializeInput {
  const { protocolVersion, capabilities = {}, clientInfo } = params ?? {};
  if (typeof protocolVersion !== "string") throw invalidParams("params.protocolVersion", "a string", protocolVersion);
  if (!isObject(capabilities)) throw invalidParams("params.capabilities", "an object", capabilities);
  const client = clientInfo === undefined ? undefined : readImplementation(clientInfo);
  if (clientInfo !== undefined && client === undefined) {
    throw invalidParams("params.clientInfo", "an object with a name and a version", clientInfo);
  }
  return { protocolVersion, capabilities, clientInfo: client };
}
