import {
  invalidOptions,
  type JsonObject,
  LEGACY_PROTOCOL_VERSION,
  MCPTimeoutError,
  MODERN_PROTOCOL_VERSION,
  MortiseError,
  revisionOf,
  toError,
} from "@mortise/core";
import { readAnswer } from "./answer.js";
import { isOpaqueFailure } from "./browser.js";
import { startDeadline } from "./deadline.js";
import type { Evidence, Session } from "./era.js";
import { type AllowedEras, readAllowedEras } from "./era-choice.js";
import { openLegacySession } from "./legacy/index.js";
import type { Answer, Flight, Link, LinkListener } from "./link.js";
import {
  createModernSession,
  createSpeaker,
  DISCOVER,
  describeError,
  judgeHttpAnswer,
  judgeModernAnswer,
  type ModernSpeaker,
} from "./modern/index.js";
import type { EraVerdict } from "./options.js";
import type { HttpTarget, Settings } from "./settings.js";

/** What opening a session needs. */
export interface OpenOptions {
  readonly settings: Settings;
  /** What was found out about the server before. */
  readonly prior: EraVerdict | undefined;
  /** Opens the way to the server; for a server process, starts it. */
  openLink(): Promise<Link>;
  /** Opens the way to a server with the transport of 2024-11-05. */
  openSseLink(target: HttpTarget, timeout: number | undefined): Promise<Link>;
  nextId(): number;
  readonly onNotification: LinkListener["onNotification"];
  onRenewed(session: Session): void;
}

/** A session, and what it shows about the server. */
export interface Opened {
  readonly session: Session;
  readonly verdict: EraVerdict;
}

/** Finds out which era the server speaks, and opens a session in it. */
export async function openSession(options: OpenOptions): Promise<Opened> {
  const link = await options.openLink();
  const opening = new Opening(link, options);
  try {
    const session = await opening.open();
    const { era, protocolVersion } = session.server;
    const { minimalHeaders, transport } = opening;
    const verdict = { era, protocolVersion, minimalHeaders };
    return { session, verdict: transport === undefined ? verdict : { ...verdict, transport } };
  } catch (error) {
    await opening.link.close(toError(error));
    throw error;
  }
}

type ModernEvidence = Extract<Evidence, { kind: "modern" }>;
type VersionsEvidence = Extract<Evidence, { kind: "versions" }>;

class Opening {
  link: Link;
  minimalHeaders: boolean;
  /** The browser let nothing pass that told of the modern era. */
  #isBlocked = false;
  transport: EraVerdict["transport"];
  readonly #options: OpenOptions;
  readonly #settings: Settings;
  readonly #choice: AllowedEras;
  /** Where the transport of 2024-11-05 is one of the possibilities. */
  readonly #sse: HttpTarget | undefined;

  constructor(link: Link, options: OpenOptions) {
    this.link = link;
    this.#options = options;
    this.#settings = options.settings;
    const { era, minimalHeaders, target } = options.settings;
    this.#choice = readAllowedEras(era, minimalHeaders);
    this.#sse = target.kind === "http" && target.transport !== "streamable-http" ? target : undefined;
    this.minimalHeaders = minimalHeaders || (options.prior?.minimalHeaders ?? false);
  }

  async open(): Promise<Session> {
    const { prior } = this.#options;
    const { timeout } = this.#settings;
    const sse = this.#sse;
    if (sse?.transport === "sse" && !this.#choice.legacy)
      throw invalidOptions('"era" to allow legacy revisions with the transport "sse"');
    if (sse?.transport === "sse") return this.#openSse(sse, timeout, undefined);
    if (sse !== undefined && this.#choice.legacy && prior?.transport === "sse") {
      const session = await this.#retrySse(sse);
      if (session !== undefined) return session;
    }
    if (!this.#choice.modern) return this.#openLegacy(undefined);
    if (this.#choice.legacy && prior?.era === "legacy") {
      try {
        return await this.#openLegacy(undefined);
      } catch (error) {
        // What was found out earlier does not hold any more: ask again.
        const isRefusal = error instanceof MortiseError && error.code === "initialize_refused";
        if (!isRefusal || this.transport !== undefined) throw error;
        this.minimalHeaders = this.#settings.minimalHeaders;
      }
    }
    return this.link.shape === "http" ? this.#probeHttp() : this.#probePipe();
  }

  async #probeHttp(): Promise<Session> {
    const speaker = this.#createSpeaker(this.#choice.pin ?? MODERN_PROTOCOL_VERSION);
    try {
      return await this.#settle(judgeHttpAnswer(await this.#ask(speaker)), speaker);
    } catch (error) {
      if (!this.#choice.legacy || !isOpaqueFailure(error)) throw error;
      this.#isBlocked = true;
      return this.#openLegacy("the browser blocked server/discover");
    }
  }

  async #probePipe(): Promise<Session> {
    const { probePipe } = await import("./probe-pipe.js");
    const speaker = this.#createSpeaker(this.#choice.pin ?? MODERN_PROTOCOL_VERSION);
    return probePipe({
      judges: { judgeModernAnswer, describeError },
      ask: () => speaker.send(DISCOVER, undefined).flight,
      probeTimeout: this.#settings.probeTimeout,
      // A server that must be modern, or was, is given the time of any request.
      patient: !this.#choice.legacy || this.#options.prior?.era === "modern",
      isLost: (error) =>
        this.link.closedBy === error && this.#choice.legacy && this.#settings.target.kind === "process",
      wait: (flight) => this.#wait(flight, DISCOVER),
      settle: (evidence) => this.#settle(evidence, speaker),
      openLegacy: (why, abandoned) => this.#openLegacy(why, abandoned),
      reopen: async (reason) => {
        await this.link.close(toError(reason));
        this.link = await this.#options.openLink();
      },
    });
  }

  /** Goes on with what the first answer showed. */
  async #settle(evidence: Evidence, speaker: ModernSpeaker): Promise<Session> {
    switch (evidence.kind) {
      case "modern":
        return this.#openModern(evidence, speaker);
      case "versions":
        return this.#openListed(evidence.supported, evidence, speaker);
      case "legacy":
        if (this.#choice.legacy) return this.#openLegacy(evidence.why);
        throw new MortiseError("not_modern", `Expected a server of revision ${speaker.revision.id}: ${evidence.why}`);
      default:
        throw failureOf(evidence.answer);
    }
  }

  #openModern(evidence: ModernEvidence, speaker: ModernSpeaker): Promise<Session> | Session {
    const supported = evidence.result.supportedVersions as readonly string[]; // checked when the answer was judged
    return supported.includes(speaker.revision.id)
      ? this.#createSession(evidence.result, speaker)
      : this.#openListed(supported, evidence, speaker);
  }

  /** The server is modern and wants another version: take one that it lists. */
  async #openListed(
    supported: readonly string[],
    evidence: ModernEvidence | VersionsEvidence,
    { revision }: ModernSpeaker,
  ): Promise<Session> {
    const { chooseListed } = await import("./listed-versions.js");
    const version = chooseListed(supported, this.#choice, revision.id);
    if (version === undefined) return this.#openLegacy(`the server lists ${supported.join(", ")}`);
    const speaker = this.#createSpeaker(version);
    if (evidence.kind === "modern") return this.#createSession(evidence.result, speaker);
    const second = judgeModernAnswer(await this.#ask(speaker));
    if (second?.kind === "modern") return this.#openModern(second, speaker);
    throw failureOf(second?.answer ?? evidence.answer);
  }

  #createSession(discovered: JsonObject, speaker: ModernSpeaker): Session {
    const { link } = this;
    const { identity, onProblem } = this.#settings;
    const { onNotification } = this.#options;
    return createModernSession({ link, speaker, discovered, identity, onNotification, onProblem });
  }

  async #openLegacy(why: string | undefined, abandoned?: AbortSignal): Promise<Session> {
    const { probeTimeout, timeout } = this.#settings;
    let older = false;
    try {
      return await this.#shakeHands(why, abandoned, (isOlder) => {
        older = isOlder;
      });
    } catch (error) {
      // A stream needs fewer headers than a message, and may be let pass where that is not.
      if (this.#sse === undefined || !(older || isOpaqueFailure(error))) throw error;
      return this.#openSse(this.#sse, probeTimeout ?? timeout, toError(error));
    }
  }

  /** Goes on with the transport of 2024-11-05. */
  async #openSse(target: HttpTarget, timeout: number | undefined, refusal: Error | undefined): Promise<Session> {
    const { takeOlderTransport } = await import("./older-transport.js");
    const open = (): Promise<Link> => this.#options.openSseLink(target, timeout);
    this.link = await takeOlderTransport({ refused: this.link, open, refusal });
    this.transport = "sse";
    return this.#shakeHands(refusal?.message);
  }

  /** Opens what an earlier connection found out; `undefined` when that does not hold any more. */
  async #retrySse(target: HttpTarget): Promise<Session | undefined> {
    try {
      return await this.#openSse(target, this.#settings.probeTimeout, undefined);
    } catch (error) {
      const { isAnswer } = await import("./older-transport.js");
      if (this.transport !== undefined || !isAnswer(error)) throw error;
      return undefined;
    }
  }

  #shakeHands(
    why: string | undefined,
    abandoned?: AbortSignal,
    onRefusal: (isOlder: boolean) => void = () => undefined,
  ): Promise<Session> {
    const { identity, listen, onProblem } = this.#settings;
    const { nextId, onNotification, onRenewed } = this.#options;
    return openLegacySession({
      link: this.link,
      identity,
      offered: this.#choice.pin ?? LEGACY_PROTOCOL_VERSION,
      exact: this.#choice.pin !== undefined,
      why,
      minimalHeaders: this.minimalHeaders,
      isBlocked: this.#isBlocked,
      onMinimalHeaders: () => {
        this.minimalHeaders = true;
      },
      onRefusal,
      listen,
      nextId,
      wait: (flight, method) => {
        abandoned?.addEventListener(
          "abort",
          () => flight.drop(new MortiseError("aborted", "The server turned out to be modern")),
          { once: true },
        );
        return this.#wait(flight, method);
      },
      onNotification,
      onRenewed,
      onProblem,
    });
  }

  #createSpeaker(version: string): ModernSpeaker {
    const { identity } = this.#settings;
    const { nextId } = this.#options;
    return createSpeaker({ link: this.link, revision: revisionOf(version), identity, nextId });
  }

  #ask(speaker: ModernSpeaker): Promise<Answer> {
    return this.#wait(speaker.send(DISCOVER, undefined).flight, DISCOVER);
  }

  async #wait(flight: Flight, method: string): Promise<Answer> {
    const limits = { timeout: this.#settings.timeout, maxTotalTimeout: undefined, resets: false };
    const deadline = startDeadline(limits, (timeoutMs) =>
      flight.drop(new MCPTimeoutError(`"${method}" was not answered within ${timeoutMs} ms`, { timeoutMs })),
    );
    flight.onHeld = (held) => (held ? deadline?.pause() : deadline?.resume());
    try {
      return await flight.answer;
    } finally {
      deadline?.clear();
    }
  }
}

function failureOf(answer: Answer): Error {
  try {
    readAnswer(answer);
  } catch (error) {
    return toError(error);
  }
  return new MortiseError("invalid_response", "Expected a discover result");
}
