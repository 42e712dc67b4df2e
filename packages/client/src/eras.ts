import {
  type JsonObject,
  LEGACY_PROTOCOL_VERSION,
  MODERN_PROTOCOL_VERSION,
  REVISIONS,
  revisionOf,
  toError,
} from "@mortise/core";
import { answerWithin } from "./deadline.js";
import type { Evidence, Session } from "./era.js";
import type { EraSearch } from "./era-search.js";
import { isConnectionFailure } from "./failures.js";
import type { StreamLink } from "./http-link.js";
import { type HandshakeFindings, openLegacySession } from "./legacy/index.js";
import type { Answer, Flight, Link, LinkListener } from "./link.js";
import { createModernSession, createSpeaker, DISCOVER, judgeAnswer, type ModernSpeaker } from "./modern/index.js";
import type { openPipe } from "./open-link.js";
import type { EraVerdict } from "./options.js";
import type { HttpTarget, Settings } from "./settings.js";

/** What opening a session needs. */
export interface OpenOptions {
  readonly settings: Settings;
  /** What was found out about the server before. */
  readonly prior: EraVerdict | undefined;
  /** Opens the way to the server; for a server process, starts it. */
  openLink(): Promise<Link>;
  /** Opens one more way to the same server, for another transport. */
  openHttpLink(target: HttpTarget): Promise<StreamLink>;
  readonly openPipe: typeof openPipe;
  nextId(): number;
  readonly onNotification: LinkListener["onNotification"];
  onRenewed(session: Session): void;
}

/** A session, and what it shows about the server. */
export interface Opened {
  readonly session: Session;
  readonly verdict: EraVerdict;
}

/** How hands are shaken. */
export interface HandshakeChoice {
  /** The revision that must be agreed on. @default the newest, and any that the server answers with */
  readonly pin?: string | undefined;
  /** What was found out before, for the error if this fails too: the answer to `server/discover`, or words. */
  readonly why?: Answer | string | undefined;
  /** Hears of the request, which may turn out to be needless. */
  onSent?(flight: Flight): void;
}

/** Finds out which era the server speaks, and opens a session in it. */
export async function openSession(options: OpenOptions): Promise<Opened> {
  const opening = new Opening(await options.openLink(), options);
  try {
    await options.settings.identity.prepare();
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

/** The opening of one session: what most servers need of it. For all others there is a closer look, which is loaded then. */
export class Opening implements HandshakeFindings {
  link: Link;
  minimalHeaders: boolean;
  /** The browser let nothing pass that told of the modern era. */
  isBlocked = false;
  transport: EraVerdict["transport"];
  readonly options: OpenOptions;
  /** Whether the handshake was refused as servers with an older transport do it. */
  isOlder = false;
  /* What the closer look shares with the code that is loaded at start. */
  readonly judgeAnswer: typeof judgeAnswer = judgeAnswer;

  constructor(link: Link, options: OpenOptions) {
    this.link = link;
    this.options = options;
    this.minimalHeaders = options.settings.minimalHeaders || (options.prior?.minimalHeaders ?? false);
  }

  async open(): Promise<Session> {
    const { target, era } = this.options.settings;
    const isOpen = era === "auto" && this.options.prior?.era !== "legacy" && !this.minimalHeaders;
    if (target.kind !== "http" || target.transport === "sse" || !isOpen) return (await this.#search()).open();
    const speaker = this.createSpeaker(MODERN_PROTOCOL_VERSION);
    let evidence: Evidence;
    try {
      evidence = judgeAnswer(await this.ask(speaker));
    } catch (error) {
      if (!isConnectionFailure(error)) throw error;
      return (await this.#search(error)).openBlocked(error);
    }
    if (evidence.kind === "modern" && evidence.supported.includes(MODERN_PROTOCOL_VERSION))
      return this.createSession(evidence.result, speaker);
    if (evidence.kind !== "legacy" && !listsLegacyOnly(evidence))
      return (await this.#search()).settle(evidence, speaker);
    try {
      return await this.shakeHands({ why: evidence.answer });
    } catch (error) {
      if (!this.isOlder && !isConnectionFailure(error)) throw error;
      return (await this.#search(error)).openOlder(error);
    }
  }

  /** Prepares speaking one modern revision. */
  createSpeaker(version: string): ModernSpeaker {
    const { settings, nextId } = this.options;
    return createSpeaker({ link: this.link, revision: revisionOf(version), identity: settings.identity, nextId });
  }

  /** Asks the server what it is. */
  ask(speaker: ModernSpeaker): Promise<Answer> {
    return this.wait(this.discover(speaker), DISCOVER);
  }

  discover(speaker: ModernSpeaker): Flight {
    return speaker.send(DISCOVER, undefined).flight;
  }

  createSession(discovered: JsonObject, speaker: ModernSpeaker): Session {
    const { settings, onNotification } = this.options;
    return createModernSession({ ...settings, link: this.link, speaker, discovered, onNotification });
  }

  shakeHands({ pin, why, onSent }: HandshakeChoice): Promise<Session> {
    const { settings, ...options } = this.options;
    return openLegacySession({
      ...settings,
      ...options,
      link: this.link,
      offered: pin ?? LEGACY_PROTOCOL_VERSION,
      exact: pin !== undefined,
      why,
      findings: this,
      wait: (flight, method) => {
        onSent?.(flight);
        return this.wait(flight, method);
      },
    });
  }

  /** Waits for an answer as long as a request may take. */
  wait(flight: Flight, method: string): Promise<Answer> {
    return answerWithin(flight, this.options.settings.timeout, `Expected "${method}" to be answered`);
  }

  /** The closer look. Where it cannot be loaded, the network is gone, which the failure so far has said already. */
  async #search(failure?: unknown): Promise<EraSearch> {
    try {
      const { EraSearch } = await import("./era-search.js");
      return new EraSearch(this);
    } catch (error) {
      throw failure ?? error;
    }
  }
}

/** Whether a server lists legacy revisions, and nothing else that this client knows. */
function listsLegacyOnly(evidence: Evidence): boolean {
  if (!("supported" in evidence)) return false;
  const eras = evidence.supported.map((version) => REVISIONS.get(version)?.era);
  return eras.includes("legacy") && !eras.includes("modern");
}
