/** One thing a Standard Schema library found wrong with a value. */
export interface StandardIssue {
  /** What is wrong, in words. */
  readonly message: string;
  /** Where: member names and indices, or objects that hold one as `key`. Absent means the value itself. */
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}

/** What a Standard Schema library answers: the value it made, or what is wrong. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** The JSON Schema dialect to convert to. */
export interface StandardJsonOptions {
  /** For example `"draft-2020-12"`. */
  readonly target: "draft-2020-12" | "draft-07" | "openapi-3.0" | (string & {});
}

/** The two sides of a schema as JSON Schema: what it takes, and what it makes of it. */
export interface StandardJsonConverter {
  readonly input: (options: StandardJsonOptions) => Record<string, unknown>;
  readonly output: (options: StandardJsonOptions) => Record<string, unknown>;
}

/** The members behind the `~standard` key. */
export interface StandardProps<Input, Output> {
  readonly version: 1;
  readonly vendor: string;
  readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
  readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  readonly jsonSchema?: StandardJsonConverter | undefined;
}

/**
 * A schema of any library that implements Standard Schema V1 and, so that it can be published, Standard JSON Schema: zod 4,
 * ArkType, or Valibot wrapped with `toStandardJsonSchema` of `@valibot/to-json-schema`.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": StandardProps<Input, Output>;
}

/** Tells whether a value is a Standard Schema, with or without JSON Schema ability. Never throws. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== "object" && typeof value !== "function") || value === null || !("~standard" in value))
    return false;
  const standard = value["~standard"];
  return (
    typeof standard === "object" &&
    standard !== null &&
    "validate" in standard &&
    typeof standard.validate === "function"
  );
}
