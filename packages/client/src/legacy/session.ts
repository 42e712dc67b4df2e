import {
  createNotification,
  createRequest,
  isObject,
  type JsonObject,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type LogLevel,
  toError,
} from "@mortise/core";
import { isResult, readRefused } from "../answer.js";
import { describeServer } from "../describe-server.js";
import type { ConnectResult, PendingRequest, RequestControl, Session, Watch, Watching } from "../era.js";
import type { Answer, Link, LinkListener, SendOptions } from "../link.js";
import type { HeaderList } from "../platform/platform.js";
import { type Agreement, type HandshakeOptions, initialize, sendInitialized } from "./handshake.js";
import type { SessionCare } from "./session-care.js";

/** What a legacy session needs besides its handshake. */
export interface LegacyOptions extends HandshakeOptions {
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

/** A session that sends requests. What else may become of it is for its care, which is loaded then. */
export class LegacySession implements Session {
  readonly mirrorsParams = false;
  readonly tellsFreshness = false;
  readonly pingMethod = "ping";
  readonly link: HandshakeOptions["link"];
  readonly options: LegacyOptions;
  /** What was agreed on, from the first handshake on. */
  agreement!: Agreement; // set by open(), before anybody gets the session
  headers: HeaderList = [];
  /** Whether no header is sent that the oldest web servers do not let pass. */
  isMinimal: boolean;
  /** Whether there may be a session that this page cannot read. */
  isHidden = false;
  /** Whether a request was answered in this session. */
  isProven = false;
  logLevel: LogLevel | undefined;
  #care: SessionCare | undefined;
  #resume: SendOptions["resume"];
  /* What its care shares with the code that is loaded at start. */
  readonly sendInitialized: typeof sendInitialized = sendInitialized;

  constructor(options: LegacyOptions) {
    this.options = options;
    this.link = options.link;
    this.isMinimal = options.findings.minimalHeaders;
  }

  get revision(): Session["revision"] {
    return this.agreement.revision;
  }

  get server(): ConnectResult {
    const { revision, result } = this.agreement;
    return describeServer(revision, result, result.serverInfo);
  }

  async open(): Promise<void> {
    const { link, options } = this;
    link.listener = {
      onNotification: (notification) => {
        this.#care?.notice(notification);
        options.onNotification(notification);
      },
      onRequest: (request) => this.#receive(request),
      onClose: (reason) => this.#care?.end(reason),
    };
    if (options.identity.answers) await (await this.#loadCare()).loadQuestions();
    const agreement = await initialize(options);
    this.agreement = agreement;
    if (agreement.sessionId !== undefined) link.hide(agreement.sessionId);
    this.headers = this.createHeaders(agreement);
    const { isBlocked } = options.findings;
    const problem = isBlocked ? undefined : await sendInitialized(link, this.headers);
    if (problem !== undefined || isBlocked) await (await this.#loadCare()).tellInitialized(problem);
    // What the oldest web servers let pass is not enough to go on with a stream.
    this.#resume = this.isMinimal || link.shape === "pipe" ? undefined : createResume(link, this.headers);
    const listens = options.listen && link.shape === "http";
    // Servers drop what they say while there is no stream: it is asked for before anything else is.
    if (listens || this.#care !== undefined) (await this.#loadCare()).begin(agreement);
  }

  request(method: string, params: JsonObject | undefined, control: RequestControl): Promise<JsonObject> {
    const questions = this.#care?.questions;
    if (questions === undefined) return this.#send(method, params, control);
    return questions.hold(control, () => this.#send(method, params, control));
  }

  async #send(method: string, params: JsonObject | undefined, control: RequestControl): Promise<JsonObject> {
    const sentIn = this.agreement;
    let answer = await this.#attempt(method, params, control);
    if (answer.head.status === 404 && sentIn.sessionId !== undefined) {
      // The session is gone and the request was not taken: open a new one, and ask once more.
      await (await this.#loadCare()).renew(sentIn);
      answer = await this.#attempt(method, params, control);
    } else this.isProven = true;
    if (isResult(answer)) return answer.result;
    return this.isHidden ? (await this.#loadCare()).readHidden(answer) : readRefused(answer, control);
  }

  async watch(watching: Watching): Promise<Watch> {
    return (await this.#loadCare()).watch(watching);
  }

  setLogLevel(level: LogLevel): PendingRequest {
    this.logLevel = level;
    return { method: "logging/setLevel", params: { level } };
  }

  async notifyRootsChanged(): Promise<void> {
    await this.link.post(createNotification("notifications/roots/list_changed"), this.headers);
  }

  cancel(id: number | string, reason: string): void {
    this.post(createNotification("notifications/cancelled", { requestId: id, reason }));
    this.#care?.questions?.giveUp(reason);
  }

  async close(reason: Error): Promise<void> {
    const { link } = this;
    this.#care?.drop();
    if (link.closedBy === undefined && this.agreement.sessionId !== undefined)
      await link.endSession(this.headers, reason);
    await link.close(reason);
  }

  post(message: JsonRpcNotification | JsonRpcResponse): void {
    this.link.post(message, this.headers).catch(this.options.onProblem);
  }

  createHeaders({ revision, sessionId }: Agreement): HeaderList {
    if (this.link.shape === "pipe") return [];
    const session = sessionId === undefined ? [] : ["Mcp-Session-Id", sessionId];
    const version = revision.versionHeader && !this.isMinimal ? ["MCP-Protocol-Version", revision.id] : [];
    return [...session, ...version];
  }

  #receive(request: JsonRpcRequest): void {
    if (this.#care === undefined)
      this.#loadCare().then(
        (care) => care.receive(request),
        (error: unknown) => this.options.onProblem(toError(error)),
      );
    else this.#care.receive(request);
  }

  #attempt(method: string, params: JsonObject | undefined, control: RequestControl): Promise<Answer> {
    const { onProgress } = control;
    const id = this.options.nextId();
    const meta = isObject(params?._meta) ? params._meta : {};
    const tracked = onProgress === undefined ? params : { ...params, _meta: { ...meta, progressToken: id } };
    const flight = this.link.send(createRequest(id, method, tracked), {
      headers: this.headers,
      onProgress,
      resume: this.#resume,
    });
    control.track(flight, id);
    return flight.answer;
  }

  async #loadCare(): Promise<SessionCare> {
    if (this.#care !== undefined) return this.#care;
    const [{ SessionCare }, streams] = await Promise.all([import("./session-care.js"), this.link.loadStreams?.()]);
    this.#care ??= new SessionCare(this, streams);
    return this.#care;
  }
}

/** Gets the rest of an answer whose stream was lost. */
function createResume(link: Link, headers: HeaderList): SendOptions["resume"] {
  return async (lost) => {
    const { resumeAnswer } = await import("./resume-answer.js");
    return resumeAnswer(link, headers, lost);
  };
}
