import { invalidOptions, isLogLevel, type JsonObject, LOG_LEVELS, type LogLevel } from "@mortise/core";
import { type Completion, type CompletionInput, readCompletion, toCompletionParams } from "./completion.js";
import type { Connection } from "./connection.js";
import type { Session } from "./era.js";
import { type ListMethod, readItems, readPages } from "./lists.js";
import type { RequestOptions } from "./options.js";
import type { ListClient } from "./pages.js";
import { type Prompt, type PromptResult, readPromptResult } from "./prompts.js";
import { type ReadResult, type Resource, type ResourceTemplate, readResourceResult } from "./resources.js";

/** The client whose features these are. */
export interface FeatureHost {
  readonly connection: Connection;
  request(method: string, params: JsonObject, options: RequestOptions | undefined): Promise<JsonObject>;
  createListClient(session: Session): ListClient;
  onProblem(problem: Error): void;
}

/** What clients that only call tools do not need; loaded with the first use of any of it. */
export class Features {
  readonly #host: FeatureHost;
  #logLevel: LogLevel | undefined;

  constructor(host: FeatureHost) {
    this.#host = host;
  }

  async listResources(options: RequestOptions | undefined): Promise<readonly Resource[]> {
    return (await this.#listAll("resources/list", options)) as Resource[]; // read by the list's own row
  }

  async listResourceTemplates(options: RequestOptions | undefined): Promise<readonly ResourceTemplate[]> {
    return (await this.#listAll("resources/templates/list", options)) as ResourceTemplate[]; // read by the list's own row
  }

  async listPrompts(options: RequestOptions | undefined): Promise<readonly Prompt[]> {
    return (await this.#listAll("prompts/list", options)) as Prompt[]; // read by the list's own row
  }

  async readResource(uri: string | URL, options: RequestOptions | undefined): Promise<ReadResult> {
    return readResourceResult(await this.#host.request("resources/read", { uri: String(uri) }, options));
  }

  async getPrompt(name: string, args: JsonObject, options: RequestOptions | undefined): Promise<PromptResult> {
    return readPromptResult(await this.#host.request("prompts/get", { name, arguments: args }, options));
  }

  async complete(input: CompletionInput, options: RequestOptions | undefined): Promise<Completion> {
    const { revision } = await this.#open(options);
    const params = toCompletionParams(input, revision);
    return readCompletion(await this.#host.request("completion/complete", params, options));
  }

  async *pages(method: string, options: RequestOptions | undefined): AsyncGenerator<JsonObject, void, void> {
    const session = await this.#open(options);
    const { capabilities } = session.server;
    yield* readPages({ method, capabilities, options, client: this.#host.createListClient(session) });
  }

  async setLogLevel(level: LogLevel, options: RequestOptions | undefined): Promise<void> {
    if (!isLogLevel(level)) throw invalidOptions(`the level to be one of ${LOG_LEVELS.join(", ")}`);
    const { connection, onProblem } = this.#host;
    const session = await this.#open(options);
    // Later sessions are to have it, too.
    if (this.#logLevel === undefined)
      connection.companions.add({
        onOpened: (opened) => void this.#tellLogLevel(opened, undefined)?.catch(onProblem),
      });
    this.#logLevel = level;
    await this.#tellLogLevel(session, options);
  }

  #tellLogLevel(session: Session, options: RequestOptions | undefined): Promise<JsonObject> | undefined {
    const request = this.#logLevel === undefined ? undefined : session.setLogLevel(this.#logLevel);
    return request === undefined ? undefined : this.#host.connection.run(session, { ...request, options });
  }

  #open(options: RequestOptions | undefined): Promise<Session> {
    return this.#host.connection.open(options?.signal);
  }

  async #listAll(method: ListMethod, options: RequestOptions | undefined): Promise<unknown[]> {
    const session = await this.#open(options);
    const { capabilities } = session.server;
    return readItems({ method, capabilities, options, client: this.#host.createListClient(session) });
  }
}
