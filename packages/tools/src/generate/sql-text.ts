/** How one dialect writes what is not code. */
export interface SqlLexis {
  /** A backslash in a string takes the meaning of the next character. */
  readonly backslash: boolean;
  /** `#` begins a comment. */
  readonly hash: boolean;
  /** Names may stand in square brackets. */
  readonly brackets: boolean;
}

/** SQL in pieces. */
export interface SqlText {
  /** The statements, without comments, with strings emptied. */
  readonly statements: readonly string[];
  /** What is never closed, if anything. */
  readonly open: string | undefined;
}

/** What stands there, and where the code goes on; `undefined` for an end when there is none. */
interface Span {
  readonly kind: "comment" | "string" | "name";
  readonly end: number | undefined;
}

/** Takes SQL apart at the semicolons that stand outside of strings, names and comments. */
export function splitSql(sql: string, lexis: SqlLexis): SqlText {
  const statements: string[] = [];
  let current: string[] = [];
  let depth = 0;
  for (let at = 0; at < sql.length; ) {
    const span = readSpan(sql, at, lexis);
    if (span !== undefined) {
      if (span.end === undefined) return { statements, open: `a ${span.kind}` };
      current.push(span.kind === "comment" ? " " : "''");
      at = span.end;
      continue;
    }
    const letter = sql.charAt(at);
    if (letter === "(") depth += 1;
    if (letter === ")") depth -= 1;
    if (letter === ";") {
      statements.push(current.join(""));
      current = [];
    } else current.push(letter);
    at += 1;
  }
  statements.push(current.join(""));
  return {
    statements: statements.map((each) => each.trim()).filter((each) => each !== ""),
    open: depth > 0 ? "a parenthesis" : undefined,
  };
}

function readSpan(sql: string, at: number, lexis: SqlLexis): Span | undefined {
  const letter = sql.charAt(at);
  if (sql.startsWith("--", at) || (lexis.hash && letter === "#")) {
    const end = sql.indexOf("\n", at);
    return { kind: "comment", end: end === -1 ? sql.length : end };
  }
  if (sql.startsWith("/*", at)) return { kind: "comment", end: endOf(sql, "*/", at + 2) };
  if (letter === "'") return { kind: "string", end: endOfQuoted(sql, at, lexis.backslash || isEscapeString(sql, at)) };
  // A string in some dialects, a name in the rest.
  if (letter === '"') return { kind: "name", end: endOfQuoted(sql, at, lexis.backslash) };
  if (letter === "`") return { kind: "name", end: endOfQuoted(sql, at, false) };
  if (letter === "[" && lexis.brackets) return { kind: "name", end: endOf(sql, "]", at + 1) };
  return letter === "$" ? readDollarQuoted(sql, at) : undefined;
}

function endOf(sql: string, mark: string, from: number): number | undefined {
  const found = sql.indexOf(mark, from);
  return found === -1 ? undefined : found + mark.length;
}

/** A doubled quote is one in the text: reading two quoted parts in a row comes to the same. */
function endOfQuoted(sql: string, at: number, backslash: boolean): number | undefined {
  const quote = sql.charAt(at);
  for (let next = at + 1; next < sql.length; next += 1) {
    if (backslash && sql[next] === "\\") next += 1;
    else if (sql[next] === quote) return next + 1;
  }
  return undefined;
}

/** `E'…'` of PostgreSQL. */
function isEscapeString(sql: string, at: number): boolean {
  return /(?:^|[^\w$])e$/i.test(sql.slice(Math.max(0, at - 2), at));
}

/** `$$…$$` and `$tag$…$tag$` of PostgreSQL; `$1` is a parameter. */
function readDollarQuoted(sql: string, at: number): Span | undefined {
  const [tag] = /^\$(?:[a-z_]\w{0,62})?\$/i.exec(sql.slice(at, at + 66)) ?? [];
  return tag === undefined ? undefined : { kind: "string", end: endOf(sql, tag, at + tag.length) };
}
