import {
  createError,
  createNotification,
  createRequest,
  createResult,
  isObject,
  type JsonObject,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type LogLevel,
  MortiseError,
  RPC,
  readImplementation,
  toError,
} from "@mortise/core";
import { readAnswer, refusalError } from "../answer.js";
import { isBrowser, isOpaqueFailure } from "../browser.js";
import type { ConnectResult, PendingRequest, RequestControl, Session, Watch, Watching } from "../era.js";
import type { Answer, Link, LinkListener, SendOptions } from "../link.js";
import type { HeaderList } from "../platform/platform.js";
import { type Agreement, type HandshakeOptions, initialize, sendInitialized } from "./handshake.js";
import type { ServerQuestions } from "./server-questions.js";
import type { Unasked } from "./unasked.js";

/** What a legacy session needs besides its handshake. */
export interface LegacyOptions extends HandshakeOptions {
  /** Send no header that the oldest web servers do not let pass. */
  readonly minimalHeaders: boolean;
  /** A browser has let other headers not pass. */
  readonly isBlocked: boolean;
  /** From now on no header is sent that the oldest web servers do not let pass. */
  onMinimalHeaders(): void;
  /** Keep a stream open for what the server says outside of answers. */
  readonly listen: boolean;
  readonly onNotification: LinkListener["onNotification"];
  /** Called when a lost session was replaced: the server may be another one now. */
  onRenewed(session: Session): void;
  onProblem(problem: Error): void;
}

/** Shakes hands with a legacy server and gives the session. Throws what the handshake throws. */
export async function openLegacySession(options: LegacyOptions): Promise<Session> {
  const session = new LegacySession(options);
  await session.open();
  return session;
}

class LegacySession implements Session {
  readonly mirrorsParams = false;
  readonly tellsFreshness = false;
  readonly pingMethod = "ping";
  readonly link: HandshakeOptions["link"];
  readonly #options: LegacyOptions;
  /** What the server asks; `undefined` where nobody answers. */
  #questions: ServerQuestions | undefined;
  #agreement: Agreement | undefined;
  #isMinimal: boolean;
  /** Whether there may be a session that this page cannot read. */
  #isHidden = false;
  #headers: HeaderList = [];
  #resume: SendOptions["resume"];
  #renewal: Promise<void> | undefined;
  /** What the server says outside of answers; loaded with the first who hears it. */
  #unasked: Promise<Unasked> | undefined;
  /** Whether a request was answered in this session. */
  #isProven = false;
  #logLevel: LogLevel | undefined;

  constructor(options: LegacyOptions) {
    this.#options = options;
    this.link = options.link;
    this.#isMinimal = options.minimalHeaders;
  }

  get revision(): Session["revision"] {
    return this.#agreed().revision;
  }

  get server(): ConnectResult {
    const { revision, result } = this.#agreed();
    return {
      protocolVersion: revision.id,
      serverInfo: readImplementation(result.serverInfo),
      capabilities: isObject(result.capabilities) ? result.capabilities : {},
      instructions: typeof result.instructions === "string" ? result.instructions : undefined,
      era: "legacy",
    };
  }

  async open(): Promise<void> {
    this.link.listener = {
      onNotification: (notification) => {
        this.#questions?.notice(notification);
        void this.#unasked?.then((unasked) => unasked.notice(notification));
        this.#options.onNotification(notification);
      },
      onRequest: (request) => this.#receive(request),
      responseHeaders: () => this.#headers,
      onClose: (reason) => {
        this.#questions?.closeAll(reason);
        void this.#unasked?.then((unasked) => unasked.end(reason));
      },
    };
    const { onElicit, onSample, onRoots } = this.#options.identity.handlers;
    if (onElicit !== undefined || onSample !== undefined || onRoots !== undefined)
      this.#questions ??= await this.#loadQuestions();
    this.#agreement = await initialize(this.#options);
    if (this.#agreement.sessionId !== undefined) this.link.hide(this.#agreement.sessionId);
    this.#headers = this.#createHeaders(this.#agreement);
    await this.#tellInitialized(this.#agreement);
    const listening = this.#listen(this.#agreement);
    // Servers drop what they say while there is no stream: it is asked for before anything else is.
    if (listening !== undefined) await listening;
    // A session that takes the place of a lost one knows nothing of what the lost one was told.
    if (this.#logLevel !== undefined) this.#sendAgain(this.setLogLevel(this.#logLevel));
  }

  request(method: string, params: JsonObject | undefined, control: RequestControl): Promise<JsonObject> {
    const questions = this.#questions;
    if (questions === undefined) return this.#send(method, params, control);
    return questions.hold(control, () => this.#send(method, params, control));
  }

  async #send(method: string, params: JsonObject | undefined, control: RequestControl): Promise<JsonObject> {
    const sentIn = this.#agreed();
    const answer = await this.#attempt(method, params, control);
    if (answer.head.status !== 404 || sentIn.sessionId === undefined) {
      this.#isProven = true;
      return this.#isHidden && answer.head.status >= 400 ? this.#readHidden(answer) : readAnswer(answer);
    }
    // A 404 means the session is gone and the request was not taken: open a new one, and ask once more.
    await this.#renew(sentIn);
    return readAnswer(await this.#attempt(method, params, control));
  }

  /** Reads a refusal that the lack of a session may explain. */
  async #readHidden(answer: Answer): Promise<JsonObject> {
    try {
      return readAnswer(answer);
    } catch (error) {
      const { explainHiddenSession } = await import("../blocked.js");
      throw explainHiddenSession(toError(error));
    }
  }

  async watch(watching: Watching): Promise<Watch> {
    return (await this.#loadUnasked(this.#agreed())).watch(watching);
  }

  setLogLevel(level: LogLevel): PendingRequest {
    this.#logLevel = level;
    return { method: "logging/setLevel", params: { level } };
  }

  async notifyRootsChanged(): Promise<void> {
    await this.link.post(createNotification("notifications/roots/list_changed"), this.#headers);
  }

  cancel(id: number | string, reason: string): void {
    this.#post(createNotification("notifications/cancelled", { requestId: id, reason }));
    this.#questions?.giveUp(reason);
  }

  async close(reason: Error): Promise<void> {
    void this.#unasked?.then((unasked) => unasked.drop());
    if (this.link.closedBy === undefined && this.#agreement?.sessionId !== undefined)
      await this.link.endSession(this.#headers, reason);
    await this.link.close(reason);
  }

  #post(message: JsonRpcNotification | JsonRpcResponse): void {
    this.link.post(message, this.#headers).catch((error: unknown) => this.#options.onProblem(toError(error)));
  }

  #receive(request: JsonRpcRequest): JsonRpcResponse | undefined {
    // A client that declared no abilities is still asked whether it is alive.
    if (request.method === "ping") return createResult(request.id, {});
    if (this.#questions === undefined)
      return createError(request.id, { code: RPC.methodNotFound, message: "This client does not answer that method" });
    this.#questions.receive(request);
    return undefined;
  }

  async #loadQuestions(): Promise<ServerQuestions> {
    const { ServerQuestions } = await import("./server-questions.js");
    const { identity, offered, onProblem } = this.#options;
    return new ServerQuestions({
      identity,
      offered,
      session: this,
      post: (response) => this.#post(response),
      onProblem: (thrown) => onProblem(toError(thrown)),
    });
  }

  #loadUnasked(agreed: Agreement): Promise<Unasked> {
    this.#unasked ??= Promise.all([import("./unasked.js"), this.link.loadStreams?.()]).then(
      ([{ Unasked }, streams]) =>
        new Unasked(
          {
            streams,
            listens: this.#options.listen,
            headers: () => this.#headers,
            capabilities: () => this.server.capabilities,
            isMinimal: () => this.#isMinimal,
            takeProof: () => {
              const isProven = this.#isProven;
              this.#isProven = false;
              return isProven;
            },
            renew: (lost) => this.#renew(lost),
            request: (request) => this.#sendApart(request),
            refusalError,
            onProblem: (thrown) => this.#options.onProblem(toError(thrown)),
          },
          agreed,
        ),
    );
    return this.#unasked;
  }

  #attempt(method: string, params: JsonObject | undefined, control: RequestControl): Promise<Answer> {
    const id = this.#options.nextId();
    const request = createRequest(id, method, control.onProgress === undefined ? params : addToken(params, id));
    const flight = this.link.send(request, {
      headers: this.#headers,
      onProgress: control.onProgress,
      resume: this.#resume,
    });
    control.track(flight, id);
    return flight.answer;
  }

  /** Asks for the stream, once what follows it is loaded; `undefined` where nobody listens. */
  #listen(agreed: Agreement): Promise<void> | undefined {
    // What such a server lets pass is not enough to go on with a stream.
    if (!this.#isMinimal && this.link.shape === "http") this.#resume = createResume(this.link, this.#headers);
    if (this.#unasked === undefined && (!this.#options.listen || this.link.shape === "pipe")) return undefined;
    return this.#loadUnasked(agreed).then((unasked) => unasked.begin(agreed), this.#options.onProblem);
  }

  /** Opens a new session in place of a lost one. Requests that lose the same session share one renewal. */
  async #renew(lost: Agreement): Promise<void> {
    if (this.#agreement === lost) {
      this.#renewal ??= this.#replace().finally(() => {
        this.#renewal = undefined;
      });
    }
    // Also when the handshake is through already: the server has to hear that it is, first.
    await this.#renewal;
  }

  async #replace(): Promise<void> {
    const unasked = await this.#unasked;
    unasked?.lose(new MortiseError("http_status", "The server does not know the session any more"));
    try {
      await this.open();
      this.#options.onRenewed(this);
    } catch (error) {
      unasked?.end(toError(error));
      throw error;
    }
  }

  #sendAgain(request: PendingRequest): void {
    this.#sendApart(request).catch((error: unknown) => this.#options.onProblem(toError(error)));
  }

  /** Sends a request of the session's own. */
  async #sendApart({ method, params }: PendingRequest): Promise<JsonObject> {
    const request = createRequest(this.#options.nextId(), method, params);
    const flight = this.link.send(request, { headers: this.#headers });
    return readAnswer(await this.#options.wait(flight, method));
  }

  /** A page finds out only by trying whether the server lets the version pass. */
  async #tellInitialized(agreement: Agreement): Promise<void> {
    if (this.#options.isBlocked && !agreement.revision.versionHeader) this.#dropVersion(agreement);
    let problem = await sendInitialized(this.link, this.#headers);
    if (!this.#isMinimal && isOpaqueFailure(problem)) {
      this.#dropVersion(agreement);
      problem = await sendInitialized(this.link, this.#headers);
    }
    // Pages cannot read a session that the server does not show them, and need it for whatever they say.
    this.#isHidden = problem !== undefined && agreement.sessionId === undefined && isBrowser();
    if (problem !== undefined) this.#options.onProblem(problem);
  }

  #dropVersion(agreement: Agreement): void {
    this.#isMinimal = true;
    this.#options.onMinimalHeaders();
    this.#headers = this.#createHeaders(agreement);
  }

  #createHeaders({ revision, sessionId }: Agreement): HeaderList {
    if (this.link.shape === "pipe") return [];
    const session = sessionId === undefined ? [] : ["Mcp-Session-Id", sessionId];
    const version = revision.versionHeader && !this.#isMinimal ? ["MCP-Protocol-Version", revision.id] : [];
    return [...session, ...version];
  }

  #agreed(): Agreement {
    if (this.#agreement === undefined) throw new TypeError("Expected the handshake to be complete");
    return this.#agreement;
  }
}

/** Gets the rest of an answer whose stream was lost. */
function createResume(link: Link, headers: HeaderList): SendOptions["resume"] {
  return async (stream) => {
    const { resumeAnswer } = await import("./resume-answer.js");
    return resumeAnswer(link, headers, stream);
  };
}

function addToken(params: JsonObject | undefined, id: number): JsonObject {
  const meta = isObject(params?._meta) ? params._meta : {};
  return { ...params, _meta: { ...meta, progressToken: id } };
}
