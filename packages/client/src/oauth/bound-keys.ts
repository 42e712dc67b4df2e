import type { AuthAnswer, ProtectedRequest } from "../authorizer.js";
import { createDpop, type Dpop } from "./dpop.js";
import type { LoginRecord } from "./login-record.js";

/** Makes the proofs of tokens that are bound to a key. */
export interface BoundKeys {
  /** Makes the headers of one request, with the key of the login. */
  createHeaders(record: LoginRecord, request: ProtectedRequest): Promise<Readonly<Record<string, string>>>;
  /** Takes the nonce that an answer may have brought. */
  learn(answer: AuthAnswer): void;
}

/** The key that the tokens of one login are bound to. */
interface OpenKey {
  readonly login: string;
  readonly ready: Promise<Dpop>;
  opened: Dpop | undefined;
}

/** Opens the keys of logins as they come. `keyPair` is the program's own, for tokens that are bound to that. */
export function createBoundKeys(keyPair: CryptoKeyPair | undefined): BoundKeys {
  let current: OpenKey | undefined;
  const open = ({ login, dpopKey }: LoginRecord): Promise<Dpop> => {
    if (current?.login === login) return current.ready;
    const ready = createDpop({ keyPair, stored: dpopKey });
    const key: OpenKey = { login, ready, opened: undefined };
    current = key;
    return ready.then((dpop) => {
      key.opened = dpop;
      return dpop;
    });
  };
  return {
    createHeaders: async (record, { url, method }) => {
      const dpop = await open(record);
      return await dpop.createHeaders({ url, method, accessToken: record.tokens.accessToken });
    },
    learn: (answer) => current?.opened?.learn(answer.url, (name) => answer.header(name)),
  };
}
