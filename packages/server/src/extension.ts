import type { JsonObject, JsonRpcNotification } from "@mortise/core";
import type { HandlerContext } from "./context.js";
import type { Caller } from "./visible.js";

/**
 * What adds to the protocol: methods, result types, news to listen to, another way to call tools. It is served to clients of
 * modern revisions, each of which declares with every request which extensions it knows.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#extension-negotiation
 */
export interface Extension<Params = Record<string, unknown>> {
  /** Its name, after a domain written backwards: "com.example/tickets". */
  readonly id: string;
  /** What clients are told of it by `server/discover`. @default {} */
  readonly settings?: JsonObject | undefined;
  /**
   * Whether its methods are for clients alone that declare the extension; others get -32021. Its own result types and its member
   * of the listen filter are, in any case. @default true
   */
  readonly negotiated?: boolean | undefined;
  /** Its requests, by method. */
  readonly methods?: { readonly [Name in keyof Params]: ExtensionMethod<Params[Name]> } | undefined;
  /** Values of `resultType` of its own, which its methods and `aroundToolCall` may answer with. @default none */
  readonly resultTypes?: readonly string[] | undefined;
  /** Runs around every call of a tool, on every revision. */
  readonly aroundToolCall?: AroundToolCall | undefined;
  /** What it adds to the filter of `subscriptions/listen`. */
  readonly listenFilter?: ListenFilter | undefined;
}

/** One request of an extension. */
export interface ExtensionMethod<Params> {
  /**
   * Reads the params, which hold whatever the client sent. What it throws is answered with -32602: a `JsonRpcError` as it is,
   * anything else without its message. @default the params as they came
   */
  readonly params?: ((params: JsonObject) => Params) | undefined;
  /** The member of the params, a string, that the `Mcp-Name` header repeats. @default none */
  readonly mirrors?: string | undefined;
  /** Does the work. Without a `resultType`, the result is "complete". A thrown `JsonRpcError` is sent as it is. */
  readonly run: (params: Params, context: HandlerContext) => JsonObject | Promise<JsonObject>;
}

/** Runs around calls of tools: return what `next()` resolves with, another result, or throw a `JsonRpcError`. */
export type AroundToolCall = (call: ToolCall, next: NextToolCall) => JsonObject | Promise<JsonObject>;

/** A call of a tool that exists, before its arguments are checked. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: JsonObject;
  /** The tool as the newest revision lists it. Not to be changed. */
  readonly tool: JsonObject;
  /** Everything that the client sent, answers to earlier questions included. */
  readonly params: JsonObject;
  /** What the client declared of the extension with this request; `undefined` where it did not. */
  readonly declared: JsonObject | undefined;
  readonly context: HandlerContext;
  /** Gives what the client declared of the extension. Throws -32021 where it did not. */
  require(): JsonObject;
}

/**
 * Goes on with the call: to the next extension, then to the tool. Without options it is part of the request: what the tool
 * throws or asks becomes its answer. With options the tool runs apart from the request, and may outlive it.
 */
export type NextToolCall = (apart?: ApartOptions) => Promise<JsonObject>;

/**
 * A run of a tool that is no longer part of the request. It resolves with the whole result, which is one of type "input_required"
 * where the tool asks something: run it again with the answers. It rejects with a `JsonRpcError` where the answer would have been
 * an error, and with the signal's reason once that aborts.
 */
export interface ApartOptions {
  /** Ends the run: the tool's own signal follows it. */
  readonly signal: AbortSignal;
  /** Answers to the questions of an earlier run, in place of those in the request. @default none */
  readonly inputResponses?: JsonObject | undefined;
  /** What that run gave along with its questions. @default none */
  readonly requestState?: string | undefined;
  /** Receives what the tool reports: progress, if the request asked for it, and log messages. @default dropped */
  readonly onNotice?: ((notice: JsonRpcNotification) => void) | undefined;
}

/** What an extension adds to the filter of `subscriptions/listen`, for clients that declare it. */
export interface ListenFilter {
  /** The name of its member in the filter. */
  readonly member: string;
  /**
   * The topics to listen to for what the client asks, as the extension publishes them. Leave out what the caller may not know.
   * What it throws is answered with -32602, as for the params of a method.
   */
  readonly topics: (value: unknown, caller: Caller) => readonly string[];
  /** What of the value is said to be granted. @default the whole value, if there are topics */
  readonly acknowledge?: ((value: unknown, caller: Caller) => unknown) | undefined;
  /**
   * The notice that published data become; `undefined` sends none. A client that reads slowly receives the newest of each topic
   * alone, so a notice has to tell how things stand, not what changed.
   */
  readonly notice: (topic: string, data: unknown) => ExtensionNotice | undefined;
}

/** A notice of an extension. Where it comes from is added to its `_meta`. */
export interface ExtensionNotice {
  readonly method: string;
  readonly params?: JsonObject | undefined;
}

/** What the author of an extension does with it once it is added. */
export interface ExtensionHandle {
  /** Publishes data, which have to be JSON, over the server's bus to every process: to those who listen, and to `subscribe`. */
  publish(topic: string, data: unknown): void;
  /** Calls back for everything published under a topic, in whichever process. Returns the function that ends this. */
  subscribe(topic: string, listener: (data: unknown) => void): () => void;
}
