import { MortiseError } from "@mortise/core";
import type { AuthRefusal, ProtectedRequest, RequestCredentials } from "../authorizer.js";
import { abandonable } from "./abandonable.js";
import { isNonceDemand, readBearerChallenge, type TokenChallenge } from "./challenge.js";
import type { HeldLogin } from "./held-login.js";
import type { InVainLogins } from "./in-vain.js";
import { isExpired, isSameToken, keyOf, type LoginRecord } from "./login-record.js";
import type { LoginPlan, LoginWork } from "./login-work.js";
import type * as Renewal from "./renewal.js";
import { MOST_LOGINS, MOST_NONCES, RequestHistories, type RequestHistory } from "./request-history.js";
import { coversScopes, uniteScopes } from "./scopes.js";
import type { ProtectedResource } from "./server-metadata.js";
import { SharedWork } from "./shared-work.js";
import { watchStore } from "./store-watch.js";

/** What the logins for one server are made with. */
export interface ServerLoginsOptions {
  /** The tokens themselves. */
  readonly held: HeldLogin;
  /** How long a login may take, in milliseconds; `undefined` means for ever. */
  readonly loginTimeout: number | undefined;
  /** What talks to authorization servers. */
  readonly work: LoginWork;
  /** Loads what deals with tokens that are there and do not do. */
  openRenewal(): Promise<typeof Renewal>;
  onProblem(problem: Error): void;
}

/** What a login starts from, besides what holds for all logins. */
export type LoginStart = Omit<LoginPlan, "metadataUrl" | "endsAt">;

/** How new tokens came. */
export interface Gain {
  readonly record: LoginRecord;
  readonly by: "login" | "refresh" | "somebody else";
}

/** New tokens that are on their way. */
export interface Flight extends Need {
  /** What it is: all that a request needs, or a refresh alone. */
  readonly kind: "needed" | "refresh";
}

/** What tokens are got for. */
interface Need {
  /** What is certainly asked for. */
  readonly scope: string | undefined;
  readonly work: SharedWork<Gain | undefined>;
}

/** The tokens for one server: what requests are sent with, and how new ones come, once for all who need them. */
export class ServerLogins {
  readonly held: HeldLogin;
  readonly work: LoginWork;
  readonly #options: ServerLoginsOptions;
  readonly histories: RequestHistories = new RequestHistories();
  #lastFlight: Flight | undefined;
  /** The login that the program asked for last. */
  #asked: Need | undefined;
  /** The last one that was begun and completed here. */
  #ownLogin: string | undefined;
  #metadataUrl: string | undefined;
  /** What did not help: known once something did not. */
  inVain: InVainLogins | undefined;
  /** Until when a refresh that can wait is not tried again, in milliseconds since 1970. */
  quietUntil = 0;

  constructor(options: ServerLoginsOptions) {
    this.#options = options;
    this.held = options.held;
    this.work = options.work;
  }

  /** Gives what a request is sent with once the token was refreshed, where that is due. */
  async authorizeAnew(request: ProtectedRequest, signal: AbortSignal): Promise<RequestCredentials | undefined> {
    const { refreshDue } = await this.#options.openRenewal();
    const record = await refreshDue(this, signal);
    return record === undefined ? undefined : this.held.createCredentials(record, request);
  }

  async refused(refusal: AuthRefusal, signal: AbortSignal): Promise<boolean> {
    const { status } = refusal;
    const used = this.held.findUsed(refusal.credentials);
    const history = this.histories.open(signal);
    this.held.learn(refusal);
    if (used?.tokens.tokenType === "DPoP" && isNonceDemand((name) => refusal.header(name))) {
      history.nonces += 1;
      return history.nonces <= MOST_NONCES;
    }
    const preferred = this.work.host.dpop === "offered" ? "DPoP" : (used?.tokens.tokenType ?? "Bearer");
    const challenge = readBearerChallenge(refusal.header("www-authenticate"), preferred);
    this.#metadataUrl = challenge?.resourceMetadata ?? this.#metadataUrl;
    if (used !== undefined && challenge?.error === "insufficient_scope")
      return (await this.#options.openRenewal()).stepUp(this, used, { challenge, history, signal });
    if (status === 401 || (used === undefined && challenge !== undefined))
      return this.#renew(used, { challenge, history, signal });
    return false;
  }

  /** Logs in, whatever there is already, and apart from logins under way: whoever asks again wants to see the login page again. */
  async login(scope: string | undefined, signal: AbortSignal | undefined): Promise<void> {
    await this.held.load();
    signal?.throwIfAborted();
    const previous = this.held.record;
    const requested = uniteScopes(previous?.requested, scope);
    const plan = {
      previous,
      requested,
      challenged: undefined,
      demandsDpop: false,
      wasAsked: this.#metadataUrl !== undefined,
    };
    const work = this.share((stop) => this.#logIn(plan, stop));
    this.#asked = { scope: requested, work };
    // One that was begun here and is over before this one says nothing about it.
    this.#watch(this.#asked, ({ login }) => login !== previous?.login && login !== this.#ownLogin);
    const gain = await work.wait(signal);
    if (gain !== undefined) this.#settleNeed(gain);
  }

  onProblem(problem: Error): void {
    this.#options.onProblem(problem);
  }

  /** Takes what a login that was finished elsewhere gave, and ends the wait of those who need it. */
  finish(record: LoginRecord): void {
    this.held.adopt(record);
    this.#settleNeed({ record, by: "login" });
  }

  /** The request was refused for its token, or for having none. Gives whether there is a better one now. */
  async #renew(used: LoginRecord | undefined, refused: Refused): Promise<boolean> {
    const { history, signal } = refused;
    for (;;) {
      await this.held.reload(used);
      const current = this.held.record;
      if (current !== undefined && !isSameToken(current, used) && !isExpired(current)) return true;
      if (used !== undefined && this.inVain?.tokens.has(used.tokens.accessToken)) return false;
      const flight = this.join(undefined) ?? this.begin(this.#planRenewal(current, refused));
      const gain = await flight.work.wait(signal);
      if (gain !== undefined || flight.kind !== "refresh") return note(history, gain);
      // The refresh token is spent, and this request needs more.
      await abandonable(flight.work.over, signal);
    }
  }

  #planRenewal(current: LoginRecord | undefined, { challenge, history }: Refused): Flight {
    const plan = planLogin(current, challenge);
    const { logins, refreshed } = history;
    const work = this.share(async (signal) => {
      const { previous } = plan;
      if (previous === undefined) return logins < MOST_LOGINS ? this.logInOnce(plan, signal) : undefined;
      const { renew } = await this.#options.openRenewal();
      return renew(this, { ...plan, previous }, { logins, refreshed }, signal);
    });
    return { kind: "needed", scope: uniteScopes(plan.requested, plan.challenged), work };
  }

  /** Logs in unless somebody who shares the store does so at the moment, or has done. */
  logInOnce(plan: LoginStart, signal: AbortSignal): Promise<Gain> {
    const { store, server } = this.work.host;
    const work = async (): Promise<Gain> => {
      await this.held.reload(plan.previous);
      const current = this.held.record;
      const isNew = current !== undefined && !isSameToken(current, plan.previous) && !isExpired(current);
      if (isNew && coversScopes(current.requested, uniteScopes(plan.requested, plan.challenged)))
        return { record: current, by: "somebody else" };
      return this.#logIn(plan, signal);
    };
    return store.lock(`${keyOf(server)} under way`, work, signal);
  }

  async #logIn(plan: LoginStart, signal: AbortSignal): Promise<Gain> {
    const { loginTimeout } = this.#options;
    const endsAt = loginTimeout === undefined ? Number.MAX_SAFE_INTEGER : Date.now() + loginTimeout;
    const record = await this.work.logIn({ ...plan, metadataUrl: this.#metadataUrl, endsAt }, signal);
    this.#ownLogin = record.login;
    this.held.adopt(record);
    return { record, by: "login" };
  }

  discover(signal: AbortSignal): Promise<ProtectedResource> {
    return this.work.discover(this.#metadataUrl, signal);
  }

  /** Work with an end, whoever waits for it. */
  share(work: (signal: AbortSignal) => Promise<Gain | undefined>): Flight["work"] {
    const { loginTimeout } = this.#options;
    return new SharedWork(async (stop) => {
      if (loginTimeout === undefined) return work(stop);
      const timeout = AbortSignal.timeout(loginTimeout);
      const signal = AbortSignal.any([stop, timeout]);
      try {
        return await abandonable(work(signal), signal);
      } catch (error) {
        if (stop.aborted || !timeout.aborted) throw error;
        throw new MortiseError("login_failed", `The login was not finished within ${loginTimeout} ms`);
      }
    });
  }

  /** New tokens that are on their way, and can be waited for. */
  get flight(): Flight | undefined {
    return this.#lastFlight?.work.isStopped === false ? this.#lastFlight : undefined;
  }

  /** What is on its way already: also a login that the program asked for, which goes on by itself whoever waits here. */
  join(needed: string | undefined): Flight | undefined {
    if (this.flight !== undefined) return this.flight;
    const asked = this.#asked;
    if (asked === undefined || asked.work.isStopped || !coversScopes(asked.scope, needed)) return undefined;
    const work = new SharedWork((stop) => asked.work.wait(stop));
    return this.begin({ kind: "needed", scope: asked.scope, work });
  }

  begin(flight: Flight): Flight {
    this.#lastFlight = flight;
    void flight.work.over.then(() => {
      if (this.#lastFlight === flight) this.#lastFlight = undefined;
    });
    const before = this.held.record;
    if (flight.kind === "needed") this.#watch(flight, (current) => !isSameToken(current, before));
    return flight;
  }

  /** Others who share the store may get what is needed: a page that came back to another process. */
  #watch({ work, scope }: Need, isNew: (current: LoginRecord) => boolean): void {
    const { onProblem } = this.#options;
    watchStore(this.held, work.over, (record) => {
      if (isNew(record) && coversScopes(record.requested, scope)) work.settle({ record, by: "somebody else" });
    }).catch(onProblem);
  }

  /** Somebody logged in: those who wait for another login have what they need. */
  #settleNeed(gain: Gain): void {
    this.inVain?.scopes.clear();
    if (this.flight?.kind === "needed") this.flight.work.settle(gain);
  }
}

/** A request that was refused, and what is known of it. */
export interface Refused {
  readonly challenge: TokenChallenge | undefined;
  readonly history: RequestHistory;
  readonly signal: AbortSignal;
}

/** What a login starts from that a server asked for. */
export function planLogin(previous: LoginRecord | undefined, challenge: TokenChallenge | undefined): LoginStart {
  const { scope, scheme } = challenge ?? {};
  const demandsDpop = scheme === "DPoP";
  return { previous, requested: previous?.requested, challenged: scope, demandsDpop, wasAsked: true };
}

/** Writes down what was got for a request, and tells whether it was anything. */
export function note(history: RequestHistory, gain: Gain | undefined): boolean {
  if (gain === undefined) return false;
  if (gain.by === "login") history.logins += 1;
  if (gain.by === "refresh") history.refreshed = true;
  history.gained = gain.record;
  return true;
}
