import {
  describeType,
  invalidOptions,
  isObject,
  type JsonObject,
  JsonRpcError,
  type LogLevel,
  MortiseError,
  RPC,
  toError,
} from "@mortise/core";
import { Around } from "./around.js";
import type { Middleware } from "./calls/middleware.js";
import type { Completion, CompletionInput } from "./completion.js";
import type { ConfigVariables } from "./config/placeholders.js";
import type { ServersConfig } from "./config/read-servers.js";
import { type Call, Connection } from "./connection.js";
import type { ConnectResult, Session } from "./era.js";
import { expectCall } from "./expect-call.js";
import { addExtension, type ClientExtension } from "./extension.js";
import { isConnectionFailure } from "./failures.js";
import type { Features } from "./features.js";
import { readHeaders } from "./header-list.js";
import type { ListMethod, ListPage } from "./lists.js";
import type { ClientOptions, CommonOptions, EraVerdict, RequestOptions } from "./options.js";
import type { OutputChecker } from "./output-checker.js";
import type { ListClient } from "./pages.js";
import type { HeaderList } from "./platform/platform.js";
import type { Prompt, PromptResult } from "./prompts.js";
import type { ReadResult, Resource, ResourceTemplate } from "./resources.js";
import { untilAborted } from "./run-request.js";
import { readSettings, type Settings } from "./settings.js";
import type { SubscribeOptions, Subscription, SubscriptionFilter } from "./subscription.js";
import { type ChatTool, fetchToolList, NO_TOOLS, type Tool, type ToolList, toChatTool } from "./tool-list.js";
import { readToolResult, type ToolResult } from "./tool-result.js";

/**
 * Calls one MCP server, whatever revision it speaks and however it is reached: over HTTP, as a child process, or over a
 * given pipe. Connects when it is first needed; concurrent first calls share one handshake.
 *
 * Failures are `JsonRpcError` (the server's), `MCPTimeoutError`, and `MortiseError` (local, told apart by `code`).
 *
 * @example
 * const client = new MCPClient("https://example.com/mcp");
 * const { text } = await client.callTool("greet", { name: "Ada" });
 * await client.close();
 */
export class MCPClient {
  readonly #settings: Settings;
  readonly #connection: Connection;
  readonly #around: Around;
  #outputs: OutputChecker | undefined;
  #features: Features | undefined;
  #toolList: ToolList = NO_TOOLS;
  #hasTools = false;
  #loading: Promise<void> | undefined;

  /** Takes the address of a server, or options that tell how to reach it. Throws `invalid_options`. */
  constructor(options: string | URL | ClientOptions) {
    this.#settings = readSettings(options);
    this.#connection = new Connection(this.#settings, () => this.#around.prepare());
    this.#around = new Around(this.#settings, this.#connection.companions);
    const { target, onProblem } = this.#settings;
    for (const name of target.kind === "http" ? target.headers.ignored : []) {
      onProblem(new MortiseError("invalid_options", `Left out header "${name}": the protocol writes it`));
    }
  }

  /**
   * Makes a client for every server of a host's configuration, by name: of what `parseConfig()` gives, or of an object in
   * the shape of Claude Desktop, Cursor or VS Code, whose placeholders are filled in from `variables`. Rejects with
   * `invalid_options` naming the server and the member that is wrong.
   */
  static async fromConfig(
    config: ServersConfig | ReadonlyMap<string, ClientOptions>,
    common: CommonOptions = {},
    variables: ConfigVariables = {},
  ): Promise<Map<string, MCPClient>> {
    const { readServers } = await import("./config/read-servers.js");
    const servers = config instanceof Map ? config : readServers(config, variables, readHeaders);
    return new Map([...servers].map(([name, options]) => [name, new MCPClient({ ...common, ...options })]));
  }

  /** The tools of the server as last fetched; empty before. */
  get tools(): readonly Tool[] {
    return this.#toolList.tools;
  }

  /** What was found out about the server's era, to pass as `prior` to another client; `undefined` before the first connection. */
  get verdict(): EraVerdict | undefined {
    return this.#connection.verdict;
  }

  /** Connects, fetches every page of tools, and tells what the server said of itself. Also opens a closed client again. */
  async connect(): Promise<ConnectResult> {
    await this.#connection.allow();
    const session = await this.#connection.open();
    await this.#loadTools();
    return session.server;
  }

  /** Connects when needed and gives the tools. */
  async initialize(): Promise<readonly Tool[]> {
    await this.#connection.open();
    await this.#loadTools();
    return this.tools;
  }

  /** The tools as last fetched, without asking the server. */
  listTools(): readonly Tool[] {
    return this.tools;
  }

  /** Fetches every page of tools anew, and gives a list that is the caller's. A server that has no `tools/list` has no tools. */
  async fetchTools(options?: RequestOptions): Promise<readonly Tool[]> {
    const session = await this.#connection.open(options?.signal);
    this.#toolList = await this.#fetchToolList(session, options);
    this.#hasTools = true;
    return [...this.tools];
  }

  /** The same as `fetchTools()`. */
  getTools(options?: RequestOptions): Promise<readonly Tool[]> {
    return this.fetchTools(options);
  }

  /** Names of the tools as last fetched. */
  getToolNames(): string[] {
    return this.tools.map((tool) => tool.name);
  }

  /** One tool as last fetched. */
  getTool(name: string): Tool | undefined {
    return this.#toolList.byName.get(name);
  }

  /** Whether the server had a tool of that name when the tools were last fetched. */
  hasTool(name: string): boolean {
    return this.#toolList.byName.has(name);
  }

  /** The tools as last fetched, in the shape that chat completion APIs take. */
  toChatTools(): ChatTool[] {
    return this.tools.map(toChatTool);
  }

  /**
   * Calls a tool. A tool that fails gives a result with `isError`; a call that fails rejects. Connects when needed.
   */
  async callTool(name: string, args: JsonObject = {}, options?: RequestOptions): Promise<ToolResult> {
    expectCall(name, args);
    const session = this.#connection.ready ?? (await this.#connection.open(options?.signal));
    if (!this.#hasTools) await untilAborted(() => this.#tryLoadTools(), options?.signal);
    const call = { method: "tools/call", params: { name, arguments: args }, options };
    const answer = this.#around.isNeeded(options) ? this.#run(session, call) : this.#callMirrored(session, call);
    const result = readToolResult(await answer);
    this.#around.settle(call.method);
    const { validateOutput } = this.#settings;
    const tool = validateOutput === false || result.isError ? undefined : this.getTool(name);
    if (tool?.outputSchema === undefined || !session.revision.structuredContent) return result;
    // A result of an extension's own type, which is not the tool's yet.
    if (result.resultType !== undefined && result.resultType !== "complete") return result;
    if (validateOutput === undefined)
      (this.#outputs ?? (await this.#loadOutputChecker()))?.check(tool, result.structuredContent);
    else if (validateOutput !== false) await validateOutput(tool, result.structuredContent);
    return result;
  }

  /** Fetches every page of resources. A server that has none declared has none. */
  async listResources(options?: RequestOptions): Promise<readonly Resource[]> {
    return (await this.#loadFeatures()).listResources(options);
  }

  /** Fetches every page of templates of resources. */
  async listResourceTemplates(options?: RequestOptions): Promise<readonly ResourceTemplate[]> {
    return (await this.#loadFeatures()).listResourceTemplates(options);
  }

  /** Reads a resource. One that does not exist rejects with the server's error, which `isResourceNotFound()` tells apart. */
  async readResource(uri: string | URL, options?: RequestOptions): Promise<ReadResult> {
    return (await this.#loadFeatures()).readResource(uri, options);
  }

  /** Fetches every page of prompts. */
  async listPrompts(options?: RequestOptions): Promise<readonly Prompt[]> {
    return (await this.#loadFeatures()).listPrompts(options);
  }

  /** Fills in a prompt. */
  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options?: RequestOptions,
  ): Promise<PromptResult> {
    expectCall(name, args);
    return (await this.#loadFeatures()).getPrompt(name, args, options);
  }

  /**
   * Asks how an argument could go on, of a prompt or of a template of resources.
   *
   * @example
   * const { values } = await client.complete({ prompt: "greet", argument: "name", value: "A" });
   */
  async complete(input: CompletionInput, options?: RequestOptions): Promise<Completion> {
    return (await this.#loadFeatures()).complete(input, options);
  }

  /**
   * Gives a list page by page, for servers whose lists are long. Ends where a server repeats a cursor.
   *
   * @example
   * for await (const { resources } of client.pages("resources/list")) show(resources);
   */
  pages<Method extends ListMethod>(
    method: Method,
    options?: RequestOptions,
  ): AsyncGenerator<ListPage<Method>, void, void>;
  /** Gives the pages of a list that only an extension knows, as they come. */
  pages(method: string, options?: RequestOptions): AsyncGenerator<JsonObject, void, void>;
  async *pages(method: string, options?: RequestOptions): AsyncGenerator<JsonObject, void, void> {
    expectCall(method, {});
    yield* (await this.#loadFeatures()).pages(method, options);
  }

  /**
   * Says which log messages are wanted, from this level up; they come to `onNotification`. Holds for later connections, too.
   * Legacy servers are told at once; with modern ones it goes with every request.
   */
  async setLogLevel(level: LogLevel, options?: RequestOptions): Promise<void> {
    return (await this.#loadFeatures()).setLogLevel(level, options);
  }

  /**
   * Subscribes to changes, and gives the subscription once the server has confirmed it. A stream that breaks is opened again;
   * `onLost` and `onRestored` tell of it. Connects when needed. Rejects with `not_offered` when the server tells of nothing that
   * is asked for.
   *
   * @example
   * for await (const { method } of await client.subscribe({ toolsListChanged: true })) console.log(method);
   */
  async subscribe(filter: SubscriptionFilter, options: SubscribeOptions = {}): Promise<Subscription> {
    return this.#connection.subscribe(filter, options);
  }

  /** Sends any request and gives its result as it came. Connects when needed. */
  async request(method: string, params?: JsonObject, options?: RequestOptions): Promise<JsonObject> {
    expectCall(method, params ?? {});
    const session = this.#connection.ready ?? (await this.#connection.open(options?.signal));
    try {
      const result = await this.#run(session, { method, params, options });
      this.#around.settle(method);
      return result;
    } catch (error) {
      this.#around.settle(method, error);
      throw error;
    }
  }

  /**
   * Runs middleware around every request from now on, but those that open a connection or a subscription, or set the log level; what
   * was added first runs outermost. Throws `invalid_options`.
   *
   * @example
   * client.use(async ({ method }, next) => {
   *   const result = await next();
   *   console.log(method, "is done");
   *   return result;
   * });
   */
  use(middleware: Middleware): this {
    if (typeof middleware !== "function")
      throw invalidOptions(`middleware to be a function, received ${describeType(middleware)}`);
    this.#around.use(middleware);
    return this;
  }

  /**
   * Adds a protocol extension: servers are told that this client knows it, and its result types and mirrored names are handled. To be
   * done before the client connects. Throws `invalid_options`, or `duplicate_name` for an extension that is there.
   *
   * @example
   * client.extend({
   *   id: "com.example/jobs",
   *   methods: { "jobs/get": { mirrors: "jobId" } },
   *   resultTypes: { job: ({ jobId }, { signal }) => waitForJob(client, jobId, signal) },
   * });
   */
  extend(extension: ClientExtension): this {
    if (this.#connection.ready !== undefined) throw invalidOptions("extend() to be called before the client connects");
    addExtension(this.#settings.extensions, extension);
    return this;
  }

  /** Asks whether the server is there: `ping` on legacy, `server/discover` on modern, which has no ping. */
  async ping(options?: RequestOptions): Promise<void> {
    const session = this.#connection.ready ?? (await this.#connection.open(options?.signal));
    await this.#run(session, { method: session.pingMethod, options: { ...options, cache: "no-store" } });
  }

  /**
   * Tells the server that `onRoots` would now give other folders, where servers are told: legacy ones, and only when this client
   * is connected. Others ask when they need to know.
   */
  async notifyRootsChanged(): Promise<void> {
    await this.#connection.ready?.notifyRootsChanged();
  }

  /** Ends the connection: a legacy HTTP session is deleted, a server process is ended. Calls on their way reject with `connection_closed`. */
  close(): Promise<void> {
    return this.#connection.close();
  }

  #loadTools(): Promise<void> {
    this.#loading ??= this.fetchTools()
      .then(() => undefined)
      .finally(() => {
        this.#loading = undefined;
      });
    return this.#loading;
  }

  /** Fetches the tools for what a call can learn from them; without them the call is still worth trying. */
  async #tryLoadTools(): Promise<void> {
    try {
      await this.#loadTools();
    } catch (error) {
      this.#settings.onProblem(toError(error));
    }
  }

  #fetchToolList(session: Session, options: RequestOptions | undefined): Promise<ToolList> | ToolList {
    const { capabilities } = session.server;
    // Servers written by hand often declare nothing at all; one that declares something else means it.
    if (capabilities.tools === undefined && Object.keys(capabilities).length > 0) return NO_TOOLS;
    return fetchToolList({
      method: "tools/list",
      options: { ...options, cache: options?.cache === "no-store" ? "no-store" : "reload" },
      mirrorsParams: session.mirrorsParams,
      client: this.#createListClient(session),
    });
  }

  /** That a check cannot be loaded is the fault of nobody who calls. */
  async #loadOutputChecker(): Promise<OutputChecker | undefined> {
    try {
      const { OutputChecker } = await import("./output-checker.js");
      this.#outputs ??= new OutputChecker((thrown) => this.#settings.onProblem(toError(thrown)));
    } catch (error) {
      this.#settings.onProblem(toError(error));
    }
    return this.#outputs;
  }

  async #loadFeatures(): Promise<Features> {
    const { Features } = await import("./features.js");
    this.#features ??= new Features({
      connection: this.#connection,
      request: (method, params, options) => this.request(method, params, options),
      createListClient: (session) => this.#createListClient(session),
      onProblem: this.#settings.onProblem,
    });
    return this.#features;
  }

  #createListClient(session: Session): ListClient {
    return {
      run: (call) => this.#run(session, call),
      forget: (method) => this.#around.forget(method),
      onProblem: this.#settings.onProblem,
    };
  }

  /** Sends a request through what runs around requests. */
  #run(session: Session, call: Call): Promise<JsonObject> {
    return this.#around.run(session, call, (one) => this.#send(session, one));
  }

  /** Sends a request over the session of the moment, which may be another one when it is sent again. */
  #send(opened: Session, call: Call): Promise<JsonObject> {
    const session = this.#connection.ready ?? opened;
    return call.method === "tools/call" ? this.#callMirrored(session, call) : this.#connection.run(session, call);
  }

  /** Calls a tool with its arguments mirrored; once more with fresh definitions when the server wants other headers. */
  async #callMirrored(session: Session, call: Call): Promise<JsonObject> {
    const mirror = this.#mirror(session, call.params);
    try {
      return await this.#connection.run(session, { ...call, mirror });
    } catch (error) {
      if (mirror.length > 0 && isConnectionFailure(error)) {
        const room = await import("./blocked.js").catch(() => undefined);
        throw room?.explainMirror(error, mirror) ?? error;
      }
      const isMismatch = error instanceof JsonRpcError && error.code === RPC.headerMismatch;
      this.#around.settle(call.method, error);
      if (!session.mirrorsParams || !isMismatch) throw error;
      await this.fetchTools(call.options);
      return this.#connection.run(session, { ...call, mirror: this.#mirror(session, call.params) });
    }
  }

  #mirror(session: Session, { name, arguments: args }: JsonObject = {}): HeaderList {
    const mirror = session.mirrorsParams ? this.#toolList.mirrors.get(name as string) : undefined; // anything else is no key there
    return mirror === undefined || !isObject(args) ? [] : mirror(args);
  }
}
