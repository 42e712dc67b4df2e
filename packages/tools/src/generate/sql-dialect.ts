import type { SqlLexis } from "./sql-text.js";

/** What is known of a dialect of SQL. */
export interface SqlDialect {
  readonly label: string;
  /** How it marks parameters. */
  readonly parameters: string;
  readonly lexis: SqlLexis;
}

const STANDARD: SqlLexis = { backslash: false, hash: false, brackets: false };
const MYSQL: SqlLexis = { backslash: true, hash: true, brackets: false };
const BRACKETS: SqlLexis = { backslash: false, hash: false, brackets: true };

const DIALECTS: ReadonlyMap<string, SqlDialect> = new Map([
  ["postgresql", { label: "PostgreSQL", parameters: "$1, $2", lexis: STANDARD }],
  ["mysql", { label: "MySQL 8", parameters: "?", lexis: MYSQL }],
  ["mariadb", { label: "MariaDB", parameters: "?", lexis: MYSQL }],
  ["sqlite", { label: "SQLite 3", parameters: "?", lexis: BRACKETS }],
  ["sqlserver", { label: "Microsoft SQL Server (Transact-SQL)", parameters: "@name", lexis: BRACKETS }],
  ["oracle", { label: "Oracle Database", parameters: ":name", lexis: STANDARD }],
  ["bigquery", { label: "BigQuery (GoogleSQL)", parameters: "@name", lexis: MYSQL }],
  ["snowflake", { label: "Snowflake", parameters: "?", lexis: { ...STANDARD, backslash: true } }],
  ["duckdb", { label: "DuckDB", parameters: "$1, $2", lexis: STANDARD }],
  ["clickhouse", { label: "ClickHouse", parameters: "{name:Type}", lexis: MYSQL }],
  ["cockroachdb", { label: "CockroachDB", parameters: "$1, $2", lexis: STANDARD }],
]);

const ALIASES: ReadonlyMap<string, string> = new Map([
  ["postgres", "postgresql"],
  ["pg", "postgresql"],
  ["mssql", "sqlserver"],
  ["tsql", "sqlserver"],
  ["microsoftsqlserver", "sqlserver"],
  ["plsql", "oracle"],
  ["cockroach", "cockroachdb"],
]);

/** Finds a dialect by its name as people write it, such as "Postgres 16" or "T-SQL". An unknown one is asked for by its name. */
export function findSqlDialect(name: string): SqlDialect {
  const key = name.toLowerCase().replaceAll(/[^a-z]/g, "");
  return (
    DIALECTS.get(ALIASES.get(key) ?? key) ?? {
      label: JSON.stringify(name),
      parameters: "as this dialect has them",
      lexis: STANDARD,
    }
  );
}
