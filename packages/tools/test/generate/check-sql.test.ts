import { describe, expect, test } from "vitest";
import { findSqlProblem } from "../../src/generate/check-sql.js";
import { findSqlDialect } from "../../src/generate/sql-dialect.js";

function check(sql: string, dialect = "postgresql"): string | undefined {
  return findSqlProblem(sql, findSqlDialect(dialect));
}

describe("lets pass", () => {
  test.each([
    ["a query", "SELECT 1;"],
    ["a query without a semicolon", "select id from users"],
    ["several statements", "BEGIN;\nUPDATE a SET b = 1 WHERE c = 2;\nCOMMIT;"],
    ["comments that read like words", "-- This query lists; all users.\n/* It's nice; */\nSELECT 1; -- done."],
    ["a common table expression", "WITH a AS (SELECT 1) SELECT * FROM a;"],
    ["a query in parentheses", "(SELECT 1) UNION (SELECT 2);"],
    ["semicolons, quotes and brackets in strings", "SELECT 'it''s (; \"odd', \"a;b(\" FROM t;"],
    ["parameters with a dollar sign", "SELECT * FROM t WHERE a = $1 AND b = $2;"],
    [
      "a function with a quoted body",
      "CREATE FUNCTION f() RETURNS int AS $$ BEGIN; oops: RETURN 1; END $$ LANGUAGE plpgsql;",
    ],
    ["a quoted body with a name", "DO $body$ BEGIN PERFORM $$x$$; END $body$;"],
    ["a string with escapes", String.raw`SELECT E'it\'s;' AS a;`],
    ["a table whose name is a word of procedures", "CREATE TABLE event (id int);"],
    ["an array", "SELECT a[1] FROM t;"],
  ])("%s", (_what, sql) => {
    expect(check(sql)).toBeUndefined();
  });

  test.each([
    ["a backslash in a string", "mysql", String.raw`SELECT 'it\'s;' AS a;`],
    [
      "comments with a hash, names in back-ticks, a question mark",
      "mysql",
      "# It's it\nSELECT `a;'b` FROM t WHERE c = ?",
    ],
    [
      "a procedure whose body has semicolons",
      "mysql",
      "CREATE DEFINER='a'@'b' PROCEDURE p()\nBEGIN\n SET @a = 1;\n leave_it: LOOP LEAVE leave_it; END LOOP;\nEND;",
    ],
    ["names in brackets", "sqlserver", "SELECT [it's; a (name] FROM [t];"],
    ["a block", "oracle", "BEGIN\n x := 1;\n NULL;\nEND;\n/"],
    ["a trigger", "sqlite", "CREATE TEMP TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; x; END;"],
  ])("%s (%s)", (_what, dialect, sql) => {
    expect(check(sql, dialect)).toBeUndefined();
  });
});

describe("finds", () => {
  test.each([
    ["nothing", ""],
    ["comments alone", "-- I cannot do that"],
    ["words", "I cannot write that query."],
    ["words before the statement", "The query is:\n\nSELECT 1;"],
    ["words behind it", "SELECT 1;\n\nIt lists everything."],
    ["words behind it that begin like a statement", "SELECT 1;\n\nUse this to see everything."],
    ["a string that is never closed", "SELECT 'abc FROM t;"],
    ["a comment that is never closed", "SELECT 1; /* and"],
    ["a quoted body that is never closed", "DO $$ BEGIN"],
    ["a parenthesis that is never closed", "INSERT INTO t (a, b VALUES (1, 2);"],
    ["another language", "db.users.find({});"],
  ])("%s", (_what, sql) => {
    expect(check(sql)).toEqual(expect.any(String));
  });
});

test.each([
  ["Postgres 16", "PostgreSQL"],
  ["PostgreSQL", "PostgreSQL"],
  ["T-SQL", "Microsoft SQL Server (Transact-SQL)"],
  ["SQL Server 2022", "Microsoft SQL Server (Transact-SQL)"],
  ["MySQL 8.4", "MySQL 8"],
  ["sqlite3", "SQLite 3"],
  ["constructor", '"constructor"'],
])("knows the dialect that people call %s", (name, label) => {
  expect(findSqlDialect(name).label).toBe(label);
});

test.each([
  ["quotes", "SELECT ".padEnd(200_000, "'")],
  ["parentheses", "SELECT ".padEnd(200_000, "(")],
  ["dollar signs", "SELECT ".padEnd(200_000, "$")],
  ["modifiers", "CREATE ".padEnd(200_000, "temp ")],
])("reads a long row of %s in time that grows with its length alone", (_what, sql) => {
  const start = performance.now();

  check(sql);

  expect(performance.now() - start).toBeLessThan(2000);
});
