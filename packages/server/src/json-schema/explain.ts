import type { Issue } from "../schema/checked.js";

/** How places and values are put into words. */
export interface Words {
  readonly formatPath: (keys: Iterable<PropertyKey>) => string;
  readonly describeType: (value: unknown) => string;
}

/** An error as the engine reports it. */
export interface EngineError {
  readonly keyword: string;
  /** A JSON pointer into the value. */
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

const MAX_LISTED = 200;

/** Turns the engine's errors into issues that say where and what was expected. There is always at least one. */
export function explain(errors: readonly EngineError[], value: unknown, words: Words): Issue[] {
  const issues = errors.flatMap((error) => explainOne(error, value, words));
  return issues.length > 0 ? issues : [{ path: "", message: "does not match the schema" }];
}

function explainOne(error: EngineError, root: unknown, { formatPath, describeType }: Words): Issue[] {
  const { keys, value } = follow(error.instancePath, root);
  const params = new Map<string, unknown>(Object.entries(error.params));
  const at = (message: string): Issue[] => [{ path: formatPath(keys), message }];
  const members = (names: unknown, message: string): Issue[] =>
    Array.isArray(names)
      ? names.map((name) => ({ path: formatPath([...keys, String(name)]), message }))
      : at(error.message);
  switch (error.keyword) {
    case "required":
      return members(params.get("requiredProperties"), "is required");
    case "additionalProperties":
      // Each wrong member has an error of its own.
      return [];
    case "unevaluatedProperties":
      return members(params.get("unevaluatedProperties"), "is not allowed here");
    case "type":
      return at(`${error.message}, received ${describeType(value)}`);
    case "enum":
      return at(`must be one of ${list(params.get("allowedValues"))}`);
    case "const":
      return at(`must be ${list([params.get("allowedValue")])}`);
    case "boolean":
      return at("is not allowed");
    default:
      return at(error.message);
  }
}

function list(values: unknown): string {
  const text = (Array.isArray(values) ? values : []).map((value) => JSON.stringify(value)).join(", ");
  return text.length > MAX_LISTED ? `${text.slice(0, MAX_LISTED)}…` : text;
}

function follow(pointer: string, root: unknown): { keys: PropertyKey[]; value: unknown } {
  const keys: PropertyKey[] = [];
  let value = root;
  for (const part of pointer.split("/").slice(1)) {
    const member = part.replaceAll("~1", "/").replaceAll("~0", "~");
    keys.push(Array.isArray(value) ? Number(member) : member);
    if (Array.isArray(value)) value = value[Number(member)];
    else
      value =
        value !== null && typeof value === "object" && Object.hasOwn(value, member)
          ? Reflect.get(value, member)
          : undefined;
  }
  return { keys, value };
}
