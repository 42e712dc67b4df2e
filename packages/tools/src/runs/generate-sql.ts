import { askCode, CODE_FORM } from "../ask/ask-code.js";
import { findSqlProblem } from "../generate/check-sql.js";
import { findSqlDialect, type SqlDialect } from "../generate/sql-dialect.js";
import { composePrompt } from "../prompt/compose-prompt.js";
import { expectText } from "../prompt/expect-text.js";
import type { Run } from "../tool-spec.js";
import type { GenerateSqlArgs } from "../tools/generate-sql.js";

/** Asks for SQL, and refuses what is no list of whole statements. */
export const run: Run<GenerateSqlArgs> = async ({ description, dialect = "postgresql", schema }, context) => {
  expectText("description", description);
  const known = findSqlDialect(dialect);
  const question = composePrompt({
    role: "You are an experienced database engineer who writes correct, readable and fast SQL.",
    rules: listRules(known, schema !== undefined),
    task: `Write ${known.label} SQL that does what the description in the material asks for.`,
    material: { schema, description },
  });
  return askCode({ ...question, check: (sql) => findSqlProblem(sql, known) }, context);
};

function listRules({ label, parameters }: SqlDialect, hasSchema: boolean): string[] {
  return [
    `Use the syntax and functions of ${label} alone, and end every statement with a semicolon.`,
    hasSchema
      ? "Use only tables and columns of the schema in the material, with their exact names and types. If something is missing there, say so in a comment at the top and use the nearest that exists."
      : "No schema is known: choose plain names, and list the assumed tables and columns in a comment at the top.",
    `Values that a program will supply are parameters, written ${parameters}; never paste values into strings. Values that the description names are literals.`,
    "Read or change nothing beyond what is asked. UPDATE and DELETE have a WHERE clause; DROP and TRUNCATE appear only where the description clearly asks for them.",
    "Name the columns instead of *, join explicitly, mind NULLs, duplicate rows and ties, and give rows an order where the description cares for one.",
    "Whatever has to be said stands in SQL comments.",
    CODE_FORM,
  ];
}
