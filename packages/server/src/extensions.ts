import { isJsonRpcError, isObject, isThenable, type JsonObject, JsonRpcError, MortiseError, RPC } from "@mortise/core";
import type { Call } from "./call.js";
import { HandlerContext } from "./context.js";
import type { Extension, ExtensionMethod } from "./extension.js";
import { checkExtension } from "./extension-checks.js";
import type { Method } from "./method.js";

const CORE_TYPES: ReadonlySet<unknown> = new Set(["complete", "input_required"]);

/** The extensions of one server. */
export class Extensions {
  /** Those that run around calls of tools, the outermost first. */
  readonly around: Extension[] = [];
  /** Those that add to the listen filter. */
  readonly filters: Extension[] = [];
  readonly #methods = new Map<string, Method>();
  readonly #settings = new Map<string, JsonObject>();
  readonly #types = new Map<string, Set<string>>();

  /** The method of this name, if an extension has it. */
  method(name: string): Method | undefined {
    return this.#methods.get(name);
  }

  /** The settings of each extension, as clients are told; `undefined` where there is none. */
  get settings(): JsonObject | undefined {
    return this.#settings.size === 0 ? undefined : Object.fromEntries(this.#settings);
  }

  /** Whether a caller can be given a result of this type: those of extensions are for callers that declared them. */
  allows(type: unknown, call: Call): boolean {
    if (CORE_TYPES.has(type)) return true;
    for (const [id, types] of this.#types)
      if (types.has(type as string) && call.declared(id) !== undefined) return true;
    return false;
  }

  /**
   * Adds an extension, whole or not at all. `isTaken` tells the protocol's own methods. Throws `invalid_options` or
   * `duplicate_name`.
   */
  add(extension: Extension, isTaken: (method: string) => boolean): void {
    const settings = checkExtension(extension, CORE_TYPES);
    const { id, methods = {}, resultTypes = [] } = extension;
    requireFree(this.#settings.has(id), `extension "${id}"`);
    const added = Object.entries(methods).map(([name, method]) => {
      requireFree(isTaken(name) || this.#methods.has(name), `method "${name}"`);
      return createMethod(name, method, extension);
    });
    const member = extension.listenFilter?.member;
    requireFree(
      member !== undefined && this.filters.some(({ listenFilter }) => listenFilter?.member === member),
      `listen filter "${member}"`,
    );
    this.#settings.set(id, settings);
    this.#types.set(id, new Set(resultTypes));
    for (const method of added) this.#methods.set(method.name, method);
    if (member !== undefined) this.filters.push(extension);
    if (extension.aroundToolCall !== undefined) this.around.push(extension);
  }
}

/** The error for a caller that did not declare an extension. */
export function createMissing(id: string): JsonRpcError {
  const data = { requiredCapabilities: { extensions: { [id]: {} } } };
  return new JsonRpcError(RPC.missingCapability, `Expected the client to declare the extension "${id}"`, data);
}

/**
 * Reads what a client sent with a function of the extension's author. Whatever that throws is the client's mistake, but only an error
 * made to be sent tells it which. A promise is a mistake of the author's, and what it rejects with goes where the mistake goes.
 */
export function readWith<Value>(read: () => Value, what: string, call: Call): Value {
  try {
    const value = read();
    if (!isThenable(value)) return value;
    value.then(undefined, (error: unknown) => call.server.report(error, { method: call.request.method }));
    throw new TypeError(`Expected what reads the ${what} to give a value, received a promise`);
  } catch (error) {
    if (isJsonRpcError(error)) throw error;
    call.server.report(error, { method: call.request.method });
    throw new JsonRpcError(RPC.invalidParams, `Invalid ${what}`);
  }
}

function createMethod(name: string, method: ExtensionMethod<unknown>, { id, negotiated = true }: Extension): Method {
  return {
    name,
    mirrors: method.mirrors,
    extension: negotiated ? id : undefined,
    parse: (params = {}, call) =>
      method.params === undefined ? params : readWith(() => method.params?.(params), "params", call),
    run(call, input) {
      const result: unknown = method.run(input, new HandlerContext(call));
      return isThenable(result) ? Promise.resolve(result).then(requireResult) : requireResult(result);
    },
  };
}

function requireResult(result: unknown): JsonObject {
  if (!isObject(result)) throw new TypeError("Expected a method of an extension to return an object");
  return result;
}

function requireFree(taken: boolean, what: string): void {
  if (taken)
    throw new MortiseError("duplicate_name", `Expected an extension without the ${what}, which exists already`);
}
