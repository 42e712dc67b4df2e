import type { SqlDialect } from "./sql-dialect.js";
import { splitSql } from "./sql-text.js";

/** What a statement may begin with, over all dialects. */
const BEGINNINGS = new Set(
  `alter analyze attach begin call checkpoint cluster comment commit copy create deallocate declare delete delimiter deny describe desc detach do drop
  end exec execute exists explain export fetch flush from go grant if import insert install kill load lock merge move open optimize perform pivot pragma prepare
  reassign refresh reindex release rename repair replace reset restore return revoke rollback savepoint security select set show start summarize
  table truncate undrop unlock unpivot update upsert use vacuum values while with`.split(/\s+/),
);

/** Holds statements with semicolons of its own, which cannot be told from the others' without knowing the language inside. */
const HAS_BODY =
  /^(?:begin\b(?!\s*(?:$|transaction|tran|work|immediate|deferred|exclusive|isolation|read))|(?:declare|do|delimiter|if|while)\b|(?:create|alter)\s+(?:or\s+(?:replace|alter)\s+)?(?:(?:temp|temporary|editionable|noneditionable|aggregate|constraint|definer\s*=\s*\S+)\s+)*(?:procedure|proc|function|trigger|package|event)\b)/i;

const MOST_LETTERS = 120;

/** Says why a text is no list of whole SQL statements; `undefined` if it is one. */
export function findSqlProblem(sql: string, { label, lexis }: SqlDialect): string | undefined {
  const { statements, open } = splitSql(sql, lexis);
  if (open !== undefined) return `The SQL has ${open} that is never closed, as ${label} reads it`;
  if (statements.length === 0) return "The answer has no SQL statement";
  for (const statement of statements) {
    const [word = ""] = /^[a-z]+/i.exec(statement.replace(/^[\s(]+/, "")) ?? [];
    // Words about the statements may begin like one ("Use this to …"), but no statement ends like a sentence.
    if (!BEGINNINGS.has(word.toLowerCase()) || /[.!:]$/.test(statement))
      return `Expected SQL statements alone, but this is none: ${statement.replaceAll(/\s+/g, " ").slice(0, MOST_LETTERS)}`;
    if (HAS_BODY.test(statement)) return undefined;
  }
  return undefined;
}
