/** One challenge of a `WWW-Authenticate` header. */
export interface Challenge {
  /** As the server wrote it; compare without regard to case. */
  readonly scheme: string;
  /** The parameters by lower-case name. Of a parameter that comes twice, the first counts. */
  readonly params: ReadonlyMap<string, string>;
  /** What stands in place of parameters in schemes such as Negotiate. */
  readonly token68?: string | undefined;
}

/** What a challenge for a token says. */
export interface TokenChallenge {
  readonly scheme: "Bearer" | "DPoP";
  /** The address of the protected resource's metadata. */
  readonly resourceMetadata?: string | undefined;
  /** The scopes that this request needs, separated by blanks. */
  readonly scope?: string | undefined;
  readonly error?: string | undefined;
  readonly errorDescription?: string | undefined;
}

const BLANK = /[\t ]*/y;
const SEPARATORS = /[\t ,]*/y;
const TOKEN = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y;
/** Its end is looked at too, since `a=b` would begin like one. */
const TOKEN68 = /([0-9A-Za-z._~+/-]+=*)[\t ]*(?=,|$)/y;
const QUOTED = /"((?:[^"\\]|\\.)*)"?/sy;
/** Servers write addresses and scopes without the quotes that they need. */
const BARE_VALUE = /[^\t ,]*/y;
const JUNK = /(?:"(?:[^"\\]|\\.)*"?|[^",])+/sy;

/**
 * Reads the challenges of a `WWW-Authenticate` header, several headers joined with commas. Never throws: what is no challenge is
 * passed over.
 * See https://www.rfc-editor.org/rfc/rfc9110.html#section-11.6.1
 */
export function parseChallenges(header: string | undefined): Challenge[] {
  const challenges: (Challenge & { params: Map<string, string>; token68?: string })[] = [];
  const text = header ?? "";
  let at = 0;
  const take = (pattern: RegExp, part = 0): string | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) at = pattern.lastIndex;
    return match?.[part];
  };
  for (take(SEPARATORS); at < text.length; take(SEPARATORS)) {
    const name = take(TOKEN);
    const current = challenges.at(-1);
    const blank = name === undefined ? "" : take(BLANK);
    if (name === undefined || (text[at] === "=" && current === undefined)) take(JUNK);
    else if (text[at] === "=" && current !== undefined) {
      at += 1;
      take(BLANK);
      const value = take(QUOTED, 1)?.replace(/\\(.)/gs, "$1") ?? take(BARE_VALUE) ?? "";
      if (!current.params.has(name.toLowerCase())) current.params.set(name.toLowerCase(), value);
    } else if (blank === "" && at < text.length && text[at] !== ",") take(JUNK);
    else {
      const token68 = blank === "" ? undefined : take(TOKEN68, 1);
      challenges.push({ scheme: name, params: new Map(), ...(token68 !== undefined && { token68 }) });
    }
  }
  return challenges;
}

/**
 * Finds what a server says about the tokens it wants: the challenge of the preferred scheme, else the one of the other; `undefined`
 * when there is none. Of several for one scheme, the first that tells an error or where its metadata is counts.
 */
export function readBearerChallenge(
  header: string | undefined,
  preferred: "Bearer" | "DPoP" = "Bearer",
): TokenChallenge | undefined {
  const all = parseChallenges(header);
  const schemes = preferred === "DPoP" ? (["DPoP", "Bearer"] as const) : (["Bearer", "DPoP"] as const);
  for (const scheme of schemes) {
    const fit = all.filter((challenge) => challenge.scheme.toLowerCase() === scheme.toLowerCase());
    const { params } = fit.find(({ params }) => params.has("error") || params.has("resource_metadata")) ?? fit[0] ?? {};
    if (params === undefined) continue;
    const metadata = params.get("resource_metadata") ?? findMetadata(all);
    return {
      scheme,
      resourceMetadata: metadata === "" ? undefined : metadata,
      scope: params.get("scope"),
      error: params.get("error"),
      errorDescription: params.get("error_description"),
    };
  }
  return undefined;
}

/** Tells whether a token bound to a key was refused only for a nonce that its proof lacked, and that came with the refusal. */
export function isNonceDemand(header: (name: string) => string | undefined): boolean {
  const challenges = parseChallenges(header("www-authenticate"));
  return Boolean(header("dpop-nonce")) && challenges.some(({ params }) => params.get("error") === "use_dpop_nonce");
}

/** The metadata is about the resource, whichever challenge names it. */
function findMetadata(challenges: readonly Challenge[]): string | undefined {
  return challenges.find(({ params }) => params.has("resource_metadata"))?.params.get("resource_metadata");
}
