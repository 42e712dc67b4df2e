import type { AuthAnswer, ProtectedRequest, RequestCredentials } from "../authorizer.js";
import type { BoundKeys } from "./bound-keys.js";
import type { CredentialStore } from "./credential-store.js";
import { isSameToken, keyOf, type LoginRecord, readRecord } from "./login-record.js";

/** Where the tokens for one server are kept. */
export interface HeldLoginOptions {
  readonly server: URL;
  readonly store: CredentialStore;
  /** The program's own key for bound tokens. */
  readonly dpopKeyPair: CryptoKeyPair | undefined;
}

/** The tokens for one server as this process knows them, and what requests are sent with. The store has the truth. */
export class HeldLogin {
  readonly #options: HeldLoginOptions;
  /** What credentials were made of. */
  readonly #sent = new WeakMap<RequestCredentials, LoginRecord>();
  #record: LoginRecord | undefined;
  #isLoaded = false;
  #loading: Promise<void> | undefined;
  /** How often the record changed. */
  #changes = 0;
  /** The credentials that the record makes, when they are the same for every request. */
  #bearer: RequestCredentials | undefined;
  #keys: BoundKeys | undefined;

  constructor(options: HeldLoginOptions) {
    this.#options = options;
  }

  get record(): LoginRecord | undefined {
    return this.#record;
  }

  /**
   * Names the access token that requests have the rights of, without telling it: what was cached with another is for that one.
   * See https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching#cache-scope-field
   */
  get context(): string | undefined {
    return this.#record === undefined ? undefined : `${this.#record.login} ${this.#record.obtainedAt}`;
  }

  /** Whether the store has been read. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** Reads the store, the first time. */
  async load(): Promise<void> {
    if (this.#isLoaded) return;
    this.#loading ??= this.#read().finally(() => {
      this.#loading = undefined;
    });
    await this.#loading;
  }

  /** Looks whether somebody else who shares the store has got other tokens than those that were used. */
  async reload(used: LoginRecord | undefined): Promise<void> {
    if (used === undefined ? this.#record === undefined : isSameToken(this.#record, used)) await this.#read();
  }

  /** Takes what is in the store now. */
  adopt(record: LoginRecord | undefined): void {
    this.#changes += 1;
    this.#isLoaded = true;
    if (!isSameToken(this.#record, record)) this.#bearer = undefined;
    this.#record = record;
  }

  /** Forgets the tokens, here and in the store, and gives what they were. */
  async forget(): Promise<LoginRecord | undefined> {
    const { store, server } = this.#options;
    return store.lock(keyOf(server), async () => {
      const record = await readRecord(store, server);
      await store.delete(keyOf(server));
      this.adopt(undefined);
      return record;
    });
  }

  /** Makes what one request is sent with. */
  createCredentials(record: LoginRecord, request: ProtectedRequest): RequestCredentials | Promise<RequestCredentials> {
    if (record.tokens.tokenType === "DPoP") return this.#createProof(record, request);
    if (this.#bearer !== undefined && isSameToken(this.#record, record)) return this.#bearer;
    const credentials = { headers: { Authorization: `Bearer ${record.tokens.accessToken}` } };
    this.#sent.set(credentials, record);
    if (record === this.#record) this.#bearer = credentials;
    return credentials;
  }

  /** Gives the tokens that a request was sent with. */
  findUsed(credentials: RequestCredentials | undefined): LoginRecord | undefined {
    return credentials === undefined ? undefined : this.#sent.get(credentials);
  }

  /** Takes the nonce that an answer may have brought. */
  learn(answer: AuthAnswer): void {
    this.#keys?.learn(answer);
  }

  async #read(): Promise<void> {
    const { store, server, dpopKeyPair } = this.#options;
    const changes = this.#changes;
    const record = await readRecord(store, server);
    if (changes !== this.#changes) return; // what is here is newer
    this.#isLoaded = true;
    const isKeyLost = record?.tokens.tokenType === "DPoP" && record.dpopKey === undefined && dpopKeyPair === undefined;
    if (isKeyLost) this.adopt(undefined);
    else if (record?.login !== this.#record?.login || !isSameToken(this.#record, record)) this.adopt(record);
  }

  /** What deals with keys is loaded with the first. */
  async #createProof(record: LoginRecord, request: ProtectedRequest): Promise<RequestCredentials> {
    const { createBoundKeys } = await import("./bound-keys.js");
    this.#keys ??= createBoundKeys(this.#options.dpopKeyPair);
    const credentials = { headers: await this.#keys.createHeaders(record, request) };
    this.#sent.set(credentials, record);
    return credentials;
  }
}
