import type { AuthorizerParts } from "./authorizer.js";
import { createSendGuarded } from "./guarded-fetch.js";
import type { LoginMethod } from "./login-method.js";
import type { LoginOptions } from "./login-options.js";
import { createLoginWork, type LoginHost } from "./login-work.js";
import { ServerLogins, type ServerLoginsOptions } from "./server-logins.js";

/** Where the logins for one server count. */
export type LoginPlace = Omit<ServerLoginsOptions, "work"> & Pick<LoginHost, "server" | "dpopKeyPair">;

/** Makes the logins for one server, with the options of its authorizer. */
export function createLogins(
  { server, dpopKeyPair, ...place }: LoginPlace,
  method: LoginMethod,
  options: LoginOptions & AuthorizerParts,
): ServerLogins {
  const { store, known, scope, selectIssuer, issuers, hosted = false, resolve, fetch, dpop } = options;
  const work = createLoginWork({
    server,
    store,
    method,
    send: createSendGuarded({ server, fetch, hosted, resolve }),
    wanted: scope,
    choice: { known, select: selectIssuer },
    dpop: readDpop(dpop),
    dpopKeyPair,
    issuers,
  });
  return new ServerLogins({ ...place, work });
}

function readDpop(dpop: LoginOptions["dpop"]): LoginHost["dpop"] {
  if (dpop === false) return "never";
  return dpop === undefined ? "demanded" : "offered";
}
