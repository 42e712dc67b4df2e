import { invalidOptions, MODERN_PROTOCOL_VERSION, MortiseError, toError } from "@mortise/core";
import { isOpaqueFailure } from "./browser.js";
import { describeAnswer } from "./describe-answer.js";
import type { Evidence, Session } from "./era.js";
import { type AllowedEras, readAllowedEras } from "./era-choice.js";
import type { Opening } from "./eras.js";
import type { Answer, Link } from "./link.js";
import { chooseListed } from "./listed-versions.js";
import type { ModernSpeaker } from "./modern/index.js";
import { isAnswer, takeOlderTransport } from "./older-transport.js";
import { probePipe } from "./probe-pipe.js";
import { readAnswer } from "./refused-answer.js";
import type { HttpTarget, Settings } from "./settings.js";

type ListingEvidence = Extract<Evidence, { readonly supported: readonly string[] }>;

/**
 * Finds out which era a server speaks where its first answer does not tell by itself, or something is known or wanted
 * beforehand. Loaded with the first such server.
 */
export class EraSearch {
  readonly #opening: Opening;
  readonly #settings: Settings;
  readonly #choice: AllowedEras;
  /** Where the transport of 2024-11-05 is one of the possibilities. */
  readonly #sse: HttpTarget | undefined;

  constructor(opening: Opening) {
    this.#opening = opening;
    this.#settings = opening.options.settings;
    const { era, minimalHeaders, target } = this.#settings;
    this.#choice = readAllowedEras(era, minimalHeaders);
    this.#sse = target.kind === "http" && target.transport !== "streamable-http" ? target : undefined;
  }

  /** Begins with what is known and wanted. */
  async open(): Promise<Session> {
    const opening = this.#opening;
    const { prior } = opening.options;
    const sse = this.#sse;
    if (sse?.transport === "sse" && !this.#choice.legacy)
      throw invalidOptions('"era" to allow legacy revisions with the transport "sse"');
    if (sse?.transport === "sse") return this.#openSse(sse, this.#settings.timeout, undefined);
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
        if (!isRefusal || opening.transport !== undefined) throw error;
        opening.minimalHeaders = this.#settings.minimalHeaders;
      }
    }
    return opening.link.shape === "http" ? this.#probeHttp() : this.#probePipe();
  }

  /** Goes on where a browser did not let the first question pass. Throws other failures as they are. */
  openBlocked(failure: unknown): Promise<Session> {
    if (!this.#choice.legacy || !isOpaqueFailure(failure)) throw failure;
    this.#opening.isBlocked = true;
    return this.#openLegacy("the browser blocked server/discover");
  }

  /** Goes on with what the first answer showed. */
  async settle(evidence: Evidence, speaker: ModernSpeaker): Promise<Session> {
    const { answer } = evidence;
    if ("supported" in evidence)
      return evidence.kind === "modern" && evidence.supported.includes(speaker.revision.id)
        ? this.#opening.createSession(evidence.result, speaker)
        : this.#openListed(evidence, speaker);
    if (evidence.kind !== "legacy") throw this.#failureOf(answer);
    if (this.#choice.legacy) return this.#openLegacy(answer);
    throw new MortiseError(
      "not_modern",
      `Expected a server of revision ${speaker.revision.id}: ${describeAnswer(answer)}`,
    );
  }

  /** Goes on where the handshake was refused as servers with an older transport do it. Throws other failures as they are. */
  openOlder(error: unknown): Promise<Session> {
    if (this.#sse === undefined || (!this.#opening.isOlder && !isOpaqueFailure(error))) throw error;
    const { probeTimeout, timeout } = this.#settings;
    // A stream needs fewer headers than a message, and may be let pass where that is not.
    return this.#openSse(this.#sse, probeTimeout ?? timeout, toError(error));
  }

  async #probeHttp(): Promise<Session> {
    const opening = this.#opening;
    const speaker = opening.createSpeaker(this.#choice.pin ?? MODERN_PROTOCOL_VERSION);
    try {
      return await this.settle(opening.judgeAnswer(await opening.ask(speaker)), speaker);
    } catch (error) {
      return this.openBlocked(error);
    }
  }

  #probePipe(): Promise<Session> {
    const opening = this.#opening;
    const { judgeAnswer, options } = opening;
    const speaker = opening.createSpeaker(this.#choice.pin ?? MODERN_PROTOCOL_VERSION);
    return probePipe({
      judgeAnswer,
      probeTimeout: this.#settings.probeTimeout,
      // A server that must be modern, or was, is given the time of any request.
      patient: !this.#choice.legacy || options.prior?.era === "modern",
      isLost: (error) =>
        opening.link.closedBy === error && this.#choice.legacy && this.#settings.target.kind === "process",
      ask: () => opening.discover(speaker),
      wait: (flight) => opening.wait(flight, "server/discover"),
      settle: (evidence) => this.settle(evidence, speaker),
      openLegacy: (why, abandoned) => this.#openLegacy(why, abandoned),
      reopen: async (reason) => {
        await opening.link.close(toError(reason));
        opening.link = await options.openLink();
      },
    });
  }

  /** The server is modern and wants another version: take one that it lists. */
  async #openListed({ supported, answer, ...evidence }: ListingEvidence, speaker: ModernSpeaker): Promise<Session> {
    const opening = this.#opening;
    const version = chooseListed(supported, this.#choice, speaker.revision.id);
    if (version === undefined) return this.#openLegacy(`the server lists ${supported.join(", ")}`);
    const next = opening.createSpeaker(version);
    if ("result" in evidence) return opening.createSession(evidence.result, next);
    const second = opening.judgeAnswer(await opening.ask(next));
    if (second.kind === "modern") return this.settle(second, next);
    throw this.#failureOf(second.kind === "legacy" || second.kind === "none" ? answer : second.answer);
  }

  async #openLegacy(why: Answer | string | undefined, abandoned?: AbortSignal): Promise<Session> {
    try {
      return await this.#opening.shakeHands({
        pin: this.#choice.pin,
        why,
        onSent: (flight) => {
          const drop = (): void => flight.drop(new MortiseError("aborted", "The server turned out to be modern"));
          abandoned?.addEventListener("abort", drop, { once: true });
        },
      });
    } catch (error) {
      return this.openOlder(error);
    }
  }

  /** Goes on with the transport of 2024-11-05. */
  async #openSse(target: HttpTarget, timeout: number | undefined, refusal: Error | undefined): Promise<Session> {
    const opening = this.#opening;
    const { openHttpLink, openPipe } = opening.options;
    const open = async (): Promise<Link> => {
      const link = await openHttpLink(target);
      const { openSseLink } = await import("./open-sse-link.js");
      return openSseLink({ link, settings: this.#settings, timeout, openPipe });
    };
    opening.link = await takeOlderTransport({ refused: opening.link, open, refusal });
    opening.transport = "sse";
    return opening.shakeHands({ pin: this.#choice.pin, why: refusal?.message });
  }

  /** Opens what an earlier connection found out; `undefined` when that does not hold any more. */
  async #retrySse(target: HttpTarget): Promise<Session | undefined> {
    try {
      return await this.#openSse(target, this.#settings.probeTimeout, undefined);
    } catch (error) {
      if (this.#opening.transport !== undefined || !isAnswer(error)) throw error;
      return undefined;
    }
  }

  #failureOf(answer: Answer): Error {
    try {
      readAnswer(answer);
    } catch (error) {
      return toError(error);
    }
    return new MortiseError("invalid_response", "Expected a discover result");
  }
}
