import type { ToolSpec } from "../tool-spec.js";

/** Arguments of `generate_sql`. */
export interface GenerateSqlArgs {
  readonly description: string;
  readonly dialect?: string | undefined;
  readonly schema?: string | undefined;
}

/** Writes SQL. */
export const GENERATE_SQL: ToolSpec<GenerateSqlArgs> = {
  name: "generate_sql",
  title: "Generate SQL",
  description:
    "Writes SQL for a description: a query, a change of data or a change of tables. Give the tables in `schema`, else names are guessed. Gives SQL alone, with comments where something was assumed. Nothing is run: read it before you run it.",
  input: {
    type: "object",
    properties: {
      description: { type: "string", minLength: 1, maxLength: 100_000, description: "What the SQL is to do" },
      dialect: {
        type: "string",
        minLength: 1,
        maxLength: 100,
        description:
          'The database, such as "postgresql", "mysql", "sqlite", "sqlserver", "oracle" or "bigquery". Default: postgresql',
      },
      schema: {
        type: "string",
        minLength: 1,
        maxLength: 400_000,
        description: "The tables that exist: CREATE TABLE statements, or a description of tables and columns",
      },
    },
    required: ["description"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: true },
  load: () => import("../runs/generate-sql.js"),
};
