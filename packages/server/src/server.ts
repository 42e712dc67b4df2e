import type { JsonRpcResponse } from "@mortise/core";
import { isObject, type JsonObject, MortiseError } from "@mortise/core";
import { Announcer } from "./announcer.js";
import { expectOption, refuseNames } from "./check-options.js";
import { createEras, type Eras } from "./eras.js";
import type { Extension, ExtensionHandle } from "./extension.js";
import { createExtensionHandle } from "./extension-topic.js";
import { type HandleOptions, handleMessage } from "./handle.js";
import { createItemHandle } from "./item-handle.js";
import type { Middleware } from "./middleware.js";
import { createNotify, type Notify } from "./notify.js";
import { type Pipe, type PipeConnection, ServerPipe } from "./pipe.js";
import type { PromptDefinition, PromptHandle, PromptHandler, PromptInput } from "./prompt-definition.js";
import { registerPrompt, registerPromptEntry } from "./register-prompt.js";
import { registerResource, registerResourceEntry } from "./register-resource.js";
import { createTool, type RegisteredTool } from "./registered-tool.js";
import type { ResourceDefinition, ResourceHandle, ResourceHandler } from "./resource-definition.js";
import type { AnySchema } from "./schema/infer.js";
import { ServerCore } from "./server-core.js";
import type { ServerOptions } from "./server-options.js";
import type { Attachment, ServerTransport } from "./server-transport.js";
import type { ToolChange, ToolDefinition, ToolHandle, ToolHandler } from "./tool-definition.js";
import { listVerifications, watchVerified } from "./watch-verified.js";

/** The constructor takes tools under the protocol's names, `tool()` under shorter ones. */
const ENTRY_NAMES: readonly (readonly [string, string])[] = [
  ["input", "inputSchema"],
  ["output", "outputSchema"],
  ["parameters", "inputSchema"],
];

/** What transports are built on. Reached through the functions of `@mortise/server/transport`. */
export interface ServerInside {
  readonly core: ServerCore;
  readonly eras: Eras;
  /** Makes what tells one legacy client of changes. See `Announcer`. */
  createAnnouncer(send: (notice: string) => void | Promise<void>): Announcer;
}

/**
 * An MCP server: register tools once, and every client is served in its own revision over every transport.
 *
 * @example
 * const server = new MCPServer({ name: "forecast", version: "1.0.0" });
 * server.tool("greet", { input: z.object({ name: z.string() }) }, ({ name }) => `Hello, ${name}!`);
 * await server.listen(stdio());
 */
export class MCPServer {
  /** For transports only. */
  readonly inside: ServerInside;
  readonly #core: ServerCore;
  /** Tells clients that listen of what the server cannot see by itself. Changes through handles are announced without it. */
  readonly notify: Notify;
  readonly #attachments = new Set<Attachment>();
  #closing: Promise<void> | undefined;

  /** Throws a `MortiseError` for options or tools that cannot be served. */
  constructor(options: ServerOptions) {
    this.#core = new ServerCore(options);
    this.notify = createNotify(this.#core);
    this.inside = createInside(this.#core);
    for (const entry of options.prompts ?? []) registerPromptEntry(this.#core, entry);
    for (const entry of options.resources ?? []) registerResourceEntry(this.#core, entry);
    for (const entry of options.tools ?? []) {
      expectOption(isObject(entry), 'an entry of "tools"', "an object", entry);
      const { name, inputSchema, outputSchema, handler, ...definition } = entry;
      refuseNames(entry, ENTRY_NAMES, `tool "${name}" of "tools"`);
      // Arguments are objects, unless a schema makes something else of them, for which the handler was written then.
      const work = handler as ToolHandler<AnySchema | undefined, AnySchema | undefined>;
      this.#add(createTool(name, { ...definition, input: inputSchema, output: outputSchema }, work));
    }
  }

  /** Whether `close()` was called, or the last transport ended. */
  get closed(): boolean {
    return this.#core.closed;
  }

  /**
   * Registers a tool. The handler's arguments and result have the types of the schemas. Throws a `MortiseError`:
   * `duplicate_name`, `invalid_options`, `invalid_param_header`, or one of the `schema_…` codes.
   *
   * Plain JSON Schema with patterns or references takes a closer look, which is loaded for it. `unsafe_pattern`, `schema_ref` (in
   * circles), `schema_too_large` (multiplied references) and `schema_invalid` (no regular expression) found there go to
   * `onError`, `listen()` rejects with them, and every call of the tool fails.
   */
  tool<const Input extends AnySchema | undefined = undefined, const Output extends AnySchema | undefined = undefined>(
    name: string,
    definition: ToolDefinition<Input, Output>,
    handler: NoInfer<ToolHandler<Input, Output>>, // else what it returns would be read before the schemas are known
  ): ToolHandle<Input, Output> {
    // What the schemas promise about the types holds for this tool alone; the registry forgets it.
    const place = this.#add(
      createTool(
        name,
        definition as ToolDefinition,
        handler as unknown as ToolHandler<AnySchema | undefined, AnySchema | undefined>,
      ),
    );
    return createItemHandle(this.#core.tools, { name, place }, (tool, change: ToolChange) =>
      this.#rebuild(tool, change),
    ) as ToolHandle<Input, Output>;
  }

  /**
   * Registers a prompt. The handler's arguments have the types of the schema, or are strings by the names of a list. Throws a
   * `MortiseError`: `duplicate_name`, `invalid_options`, or one of the `schema_…` codes, some of which come later (see `tool`).
   */
  prompt<const Input extends PromptInput | undefined = undefined>(
    name: string,
    definition: PromptDefinition<Input>,
    handler: PromptHandler<Input>,
  ): PromptHandle<Input> {
    // What the input promises about the types holds for this prompt alone; the registry forgets it.
    return registerPrompt(
      this.#core,
      name,
      definition as PromptDefinition,
      handler as unknown as PromptHandler<PromptInput | undefined>,
    );
  }

  /**
   * Registers a resource; where its address has variables, as in `"notes://{id}"`, a template for all addresses that it fits. A
   * resource comes before every template, an earlier template before a later one. What the handler gets in the places of the
   * variables is decoded, and holds no separators that were not to be seen in the address. Throws a `MortiseError`:
   * `duplicate_name`, or `invalid_options`.
   */
  resource<const Uri extends string>(
    uri: Uri,
    definition: ResourceDefinition<Uri>,
    read: ResourceHandler<Uri>,
  ): ResourceHandle<Uri> {
    // What the template promises about the types holds for this one alone; the registry forgets it.
    return registerResource(
      this.#core,
      uri,
      definition as ResourceDefinition,
      read as unknown as ResourceHandler,
    ) as ResourceHandle<Uri>;
  }

  /** The served tools as the newest revision lists them, as copies that can be changed freely. */
  getToolDefinitions(): JsonObject[] {
    return this.#core.tools.page(0, Number.POSITIVE_INFINITY).items.map((tool) => structuredClone(tool.listing));
  }

  /** Runs middleware around every request from now on; what was added first runs outermost. */
  use(middleware: Middleware): this {
    expectOption(typeof middleware === "function", "middleware", "a function", middleware);
    this.#core.middleware.push(middleware);
    return this;
  }

  /**
   * Adds a protocol extension: methods, result types, news to listen to, another way to call tools. Gives what its author publishes
   * and hears news with. Throws `invalid_options`, or `duplicate_name` where a method, a member of the listen filter, or the whole
   * extension exists already.
   */
  extend<const Params>(extension: Extension<Params>): ExtensionHandle {
    const { modern, legacy } = this.inside.eras;
    // What `params` promises about the type for `run` holds for each method alone; the table forgets it.
    const forgetful = extension as unknown as Extension;
    this.#core.extensions.add(forgetful, (method) => modern.methods.has(method) || legacy.methods.has(method));
    return createExtensionHandle(this.#core, extension.id);
  }

  /**
   * Runs one decoded message without a transport. Resolves with the response, or with `null` where none is due.
   */
  handle(message: unknown, options: HandleOptions = {}): Promise<JsonRpcResponse | null> {
    return handleMessage(this.inside.eras, message, options);
  }

  /**
   * Serves clients through a transport, and resolves with what the transport tells once it does. Rejects with `closed` on a
   * closed server, and with what is wrong with a schema where that takes a closer look (see `tool`).
   */
  async listen<Info>(transport: ServerTransport<Info>): Promise<Info> {
    for (const verification of listVerifications(this.#core)) {
      const problem = await verification;
      if (problem !== undefined) throw problem;
    }
    this.#requireOpen();
    const starts = isObject(transport) && typeof transport.start === "function";
    expectOption(starts, "the transport", "what stdio() or http() gives", transport);
    const attachment = await transport.start(this);
    if (this.#core.closed) await attachment.close({ drain: 0 }); // close() could not know of it yet
    this.#requireOpen();
    this.#attachments.add(attachment);
    void attachment.closed.then(() => this.#detach(attachment));
    return attachment.info;
  }

  /**
   * Serves one client on a two-way line of messages. Transports are built on this. Throws `closed` on a closed server.
   */
  connectPipe(pipe: Pipe): PipeConnection {
    this.#requireOpen();
    const writes = isObject(pipe) && typeof pipe.write === "function";
    expectOption(writes, "the pipe", 'an object with the function "write"', pipe);
    return new ServerPipe(this.inside, pipe);
  }

  /**
   * Ends the server for good: calls being worked on get `drain` milliseconds (default 0), then they are aborted and
   * their answers dropped. Every transport of `listen()` is closed. Safe to call twice.
   */
  close({ drain = 0 }: { readonly drain?: number | undefined } = {}): Promise<void> {
    this.#closing ??= this.#close(drain);
    return this.#closing;
  }

  async #close(drain: number): Promise<void> {
    this.#core.markClosed();
    const closing = [...this.#attachments].map((attachment) => attachment.close({ drain }));
    // What would go on for ever ends at once, with its answer.
    await this.#core.inFlight.stop();
    await this.#core.inFlight.idle(drain);
    this.#core.endAll(new DOMException("The server was closed", "AbortError"));
    await Promise.all(closing);
  }

  #detach(attachment: Attachment): void {
    this.#attachments.delete(attachment);
    if (this.#attachments.size === 0) void this.close();
  }

  #requireOpen(): void {
    if (this.#core.closed) throw new MortiseError("closed", "Expected an open server, but this one was closed");
  }

  #add(tool: RegisteredTool): number {
    const place = this.#core.tools.add(tool);
    watchVerified(this.#core, tool);
    return place;
  }

  #rebuild(tool: RegisteredTool, { handler, ...definition }: ToolChange): RegisteredTool {
    const changed = { ...tool.definition, ...definition };
    const built = createTool(tool.name, changed, handler ?? tool.handler, tool.enabled);
    watchVerified(this.#core, built);
    return built;
  }
}

function createInside(core: ServerCore): ServerInside {
  return { core, eras: createEras(core), createAnnouncer: (send) => new Announcer(core, send) };
}
