import { invalidOptions, isObject, type JsonObject, MEMBERS, MortiseError } from "@mortise/core";
import { checkMembers, type Rules } from "./check-members.js";

/** A domain written backwards, a slash, a name. https://modelcontextprotocol.io/specification/2026-07-28/basic#meta */
const ID = /^[\w.-]+\/[\w.-]+$/;

/**
 * What adds to the protocol, as a client knows it; the words are those of `server.extend`. It concerns servers of modern revisions.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#extension-negotiation
 */
export interface ClientExtension {
  /** Its name, after a domain written backwards: "com.example/tickets". */
  readonly id: string;
  /** What servers are told of it with every request. @default {} */
  readonly settings?: JsonObject | undefined;
  /** Its requests, by method. Others than those that mirror something need not be named. @default none */
  readonly methods?: Readonly<Record<string, ClientExtensionMethod>> | undefined;
  /**
   * Its own values of `resultType`, with what makes a result of the usual kind of each; or their names alone, where callers get
   * such results as they come. @default none
   */
  readonly resultTypes?: readonly string[] | Readonly<Record<string, ResultHandler>> | undefined;
}

/** One request of an extension. */
export interface ClientExtensionMethod {
  /** The member of the params, a string, that the `Mcp-Name` header repeats. @default none */
  readonly mirrors?: string | undefined;
}

/**
 * Goes on with a result of an extension's own type until there is one of the usual kind, and gives that. The request's timeout is
 * held meanwhile, and `maxTotalTimeout` runs on. What it throws is what the request rejects with.
 */
export type ResultHandler = (result: JsonObject, request: ExtendedRequest) => JsonObject | Promise<JsonObject>;

/** The request that such a result answers. */
export interface ExtendedRequest {
  readonly method: string;
  readonly params: JsonObject | undefined;
  /** Aborts when nobody waits for the result any more. */
  readonly signal: AbortSignal;
}

const RULES: Rules = {
  settings: MEMBERS,
  methods: ["an object of objects", (methods) => isObject(methods) && Object.values(methods).every(isObject)],
  resultTypes: ["names, or functions by name", areTypes],
};

/** Adds an extension to those of a client. Throws `invalid_options`, or `duplicate_name` for one that is there. */
export function addExtension(extensions: Map<string, ClientExtension>, extension: ClientExtension): void {
  const id: unknown = isObject(extension) ? extension.id : undefined;
  if (typeof id !== "string" || !ID.test(id))
    throw invalidOptions('an extension to be an object with an "id" as in "com.example/tickets"');
  checkMembers(extension, RULES);
  if (extensions.has(id))
    throw new MortiseError("duplicate_name", `Expected an extension other than "${id}", which is there already`);
  extensions.set(id, extension);
}

function areTypes(types: unknown): boolean {
  if (Array.isArray(types)) return types.every((type) => typeof type === "string");
  return isObject(types) && Object.values(types).every((handler) => typeof handler === "function");
}
