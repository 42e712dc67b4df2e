import {
  type JsonObject,
  LEGACY_PROTOCOL_VERSION,
  MCPTimeoutError,
  MODERN_PROTOCOL_VERSION,
  MortiseError,
  revisionOf,
} from "@mortise/core";
import { readAnswer } from "./answer.js";
import { isOpaqueFailure } from "./browser.js";
import { startDeadline } from "./deadline.js";
import type { Evidence, Identity, Session } from "./era.js";
import { type AllowedEras, readAllowedEras } from "./era-choice.js";
import { toError } from "./failures.js";
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
import type { EraChoice, EraVerdict } from "./options.js";

/** What opening a session needs. */
export interface OpenOptions {
  /** Opens the way to the server; for a server process, starts it. */
  openLink(): Promise<Link>;
  /** Opens the way to a server with the transport of 2024-11-05; `undefined` where that is none of the possibilities. */
  readonly openSseLink: ((timeout: number | undefined) => Promise<Link>) | undefined;
  /** The server has no other transport than that. */
  readonly onlySse: boolean;
  /** Whether `openLink` can be called again when the server ended. */
  readonly reopens: boolean;
  readonly era: EraChoice;
  readonly prior: EraVerdict | undefined;
  readonly probeTimeout: number | undefined;
  readonly timeout: number | undefined;
  readonly minimalHeaders: boolean;
  readonly identity: Identity;
  /** Keep a stream open for what a legacy server says outside of answers. */
  readonly listen: boolean;
  nextId(): number;
  readonly onNotification: LinkListener["onNotification"];
  onRenewed(session: Session): void;
  onProblem(problem: Error): void;
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
  readonly #choice: AllowedEras;

  constructor(link: Link, options: OpenOptions) {
    this.link = link;
    this.#options = options;
    this.#choice = readAllowedEras(options.era, options.minimalHeaders);
    this.minimalHeaders = options.minimalHeaders || (options.prior?.minimalHeaders ?? false);
  }

  async open(): Promise<Session> {
    const { openSseLink, onlySse, prior, timeout } = this.#options;
    if (onlySse && !this.#choice.legacy)
      throw new MortiseError("invalid_options", 'Expected "era" to allow legacy revisions with the transport "sse"');
    if (onlySse && openSseLink !== undefined) return this.#openSse(() => openSseLink(timeout), undefined);
    if (openSseLink !== undefined && this.#choice.legacy && prior?.transport === "sse") {
      const session = await this.#retrySse(openSseLink);
      if (session !== undefined) return session;
    }
    if (!this.#choice.modern) return this.#openLegacy(undefined);
    if (this.#choice.legacy && this.#options.prior?.era === "legacy") {
      try {
        return await this.#openLegacy(undefined);
      } catch (error) {
        // What was found out earlier does not hold any more: ask again.
        const isRefusal = error instanceof MortiseError && error.code === "initialize_refused";
        if (!isRefusal || this.transport !== undefined) throw error;
        this.minimalHeaders = this.#options.minimalHeaders;
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
      probeTimeout: this.#options.probeTimeout,
      // A server that must be modern, or was, is given the time of any request.
      patient: !this.#choice.legacy || this.#options.prior?.era === "modern",
      isLost: (error) => this.link.closedBy === error && this.#choice.legacy && this.#options.reopens,
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
    const { identity, onNotification, onProblem } = this.#options;
    return createModernSession({ link, speaker, discovered, identity, onNotification, onProblem });
  }

  async #openLegacy(why: string | undefined, abandoned?: AbortSignal): Promise<Session> {
    const { openSseLink, probeTimeout, timeout } = this.#options;
    let older = false;
    try {
      return await this.#shakeHands(why, abandoned, (isOlder) => {
        older = isOlder;
      });
    } catch (error) {
      // A stream needs fewer headers than a message, and may be let pass where that is not.
      if (openSseLink === undefined || !(older || isOpaqueFailure(error))) throw error;
      return this.#openSse(() => openSseLink(probeTimeout ?? timeout), toError(error));
    }
  }

  /** Goes on with the transport of 2024-11-05. */
  async #openSse(open: () => Promise<Link>, refusal: Error | undefined): Promise<Session> {
    const { takeOlderTransport } = await import("./older-transport.js");
    this.link = await takeOlderTransport({ refused: this.link, open, refusal });
    this.transport = "sse";
    return this.#shakeHands(refusal?.message);
  }

  /** Opens what an earlier connection found out; `undefined` when that does not hold any more. */
  async #retrySse(openSseLink: NonNullable<OpenOptions["openSseLink"]>): Promise<Session | undefined> {
    try {
      return await this.#openSse(() => openSseLink(this.#options.probeTimeout), undefined);
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
    const { identity, listen, nextId, onNotification, onRenewed, onProblem } = this.#options;
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
    const { identity, nextId } = this.#options;
    return createSpeaker({ link: this.link, revision: revisionOf(version), identity, nextId });
  }

  #ask(speaker: ModernSpeaker): Promise<Answer> {
    return this.#wait(speaker.send(DISCOVER, undefined).flight, DISCOVER);
  }

  async #wait(flight: Flight, method: string): Promise<Answer> {
    const limits = { timeout: this.#options.timeout, maxTotalTimeout: undefined, resets: false };
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
