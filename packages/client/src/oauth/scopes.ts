/** More scopes than this are nobody's need: servers name them, and what they name is kept. */
const MOST_SCOPES = 500;
/** RFC 6749 section 3.3. */
const SCOPE = /^[!#-[\]-~]+$/;
const OFFLINE = "offline_access";

/** What decides which scopes a login asks for. */
export interface ScopeChoice {
  /** What the server's challenge names. */
  readonly challenged: string | undefined;
  /** What the metadata of the protected server names. */
  readonly supported: readonly string[] | undefined;
  /** Everything that was asked for so far. */
  readonly requested: string | undefined;
  /** What the program wants besides. */
  readonly wanted: string | undefined;
  /** The `scopes_supported` of the authorization server. */
  readonly offered: readonly string[] | undefined;
  /** Whether a refresh token is of use. */
  readonly refreshes: boolean;
}

/**
 * Selects the scopes of a login: those of the challenge, else all that the server supports, and everything asked for before, so that no
 * login takes back what another one gave; `undefined` to leave it to the authorization server. `offline_access` is added where the
 * authorization server lists it, and left out where it does not.
 * See https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#scope-selection-strategy
 */
export function selectScope(choice: ScopeChoice): string | undefined {
  const { challenged, supported, requested, wanted, offered, refreshes } = choice;
  const needed = challenged ?? (requested === undefined ? supported?.join(" ") : undefined);
  const scopes = new Set(readScopes(uniteScopes(requested, needed)));
  if (offered?.includes(OFFLINE) === false) scopes.delete(OFFLINE);
  const offline = refreshes && offered?.includes(OFFLINE) === true ? OFFLINE : undefined;
  return uniteScopes(joinScopes(scopes), wanted, offline);
}

/** All scopes of several lists, each once; `undefined` when there is none. */
export function uniteScopes(...lists: readonly (string | undefined)[]): string | undefined {
  return joinScopes(new Set(lists.flatMap(readScopes)));
}

/** Whether every scope that is needed is among those that are held. */
export function coversScopes(held: string | undefined, needed: string | undefined): boolean {
  const scopes = new Set(readScopes(held));
  return readScopes(needed).every((scope) => scopes.has(scope));
}

function readScopes(list: string | undefined): string[] {
  return (list ?? "").split(/\s+/).filter((scope) => SCOPE.test(scope));
}

function joinScopes(scopes: ReadonlySet<string>): string | undefined {
  return scopes.size === 0 ? undefined : [...scopes].slice(0, MOST_SCOPES).join(" ");
}
