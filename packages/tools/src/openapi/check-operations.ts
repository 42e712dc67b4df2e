import { isObject, type JsonObject } from "@mortise/core";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

/** One operation of a document, and where it is. */
interface Operation {
  /** Such as `GET /pets`. */
  readonly name: string;
  readonly path: string;
  readonly item: JsonObject;
  readonly operation: JsonObject;
}

/**
 * Lists what is wrong with the operations of a document whose form is right: parameters of paths that are not declared, or declared
 * and not in the path, operation ids that are there twice, and security schemes that do not exist.
 */
export function findOperationProblems(document: JsonObject): string[] {
  const operations = listOperations(document);
  return [
    ...(operations.length === 0 ? ['expected "paths" to hold at least one operation'] : []),
    ...operations.flatMap((each) => findParameterProblems(each, document)),
    ...findRepeatedIds(operations),
    ...findUnknownSchemes(document, operations),
  ];
}

function listOperations({ paths }: JsonObject): Operation[] {
  return Object.entries(isObject(paths) ? paths : {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = isObject(item) ? item[method] : undefined;
      return isObject(item) && isObject(operation)
        ? [{ name: `${method.toUpperCase()} ${path}`, path, item, operation }]
        : [];
    }),
  );
}

function findParameterProblems({ name, path, item, operation }: Operation, document: JsonObject): string[] {
  const wanted = new Set([...path.matchAll(/\{([^{}]+)\}/g)].map(([, each = ""]) => each));
  const declared = new Set(
    [item.parameters, operation.parameters]
      .flatMap((list): unknown[] => (Array.isArray(list) ? list : []))
      .map((parameter) => follow(parameter, document))
      .flatMap((parameter) => (parameter.in === "path" ? [String(parameter.name)] : [])),
  );
  return [
    ...[...wanted]
      .filter((each) => !declared.has(each))
      .map((each) => `${name} does not declare its path parameter "${each}"`),
    ...[...declared]
      .filter((each) => !wanted.has(each))
      .map((each) => `${name} declares the path parameter "${each}", which its path does not have`),
  ];
}

/** A parameter may be a reference to one, which was found to lead somewhere in the document. */
function follow(parameter: unknown, document: JsonObject): JsonObject {
  if (!isObject(parameter)) return {};
  const name = typeof parameter.$ref === "string" ? parameter.$ref.split("/").at(-1) : undefined;
  if (name === undefined) return parameter;
  const components = isObject(document.components) ? document.components : {};
  const found = isObject(components.parameters) ? components.parameters[name] : undefined;
  return isObject(found) ? found : {};
}

function findRepeatedIds(operations: readonly Operation[]): string[] {
  const ids = operations.flatMap(({ operation }) =>
    typeof operation.operationId === "string" ? [operation.operationId] : [],
  );
  const repeated = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  return [...repeated].map((id) => `the operation id ${JSON.stringify(id)} is there more than once`);
}

function findUnknownSchemes({ components, security }: JsonObject, operations: readonly Operation[]): string[] {
  const schemes = isObject(components) && isObject(components.securitySchemes) ? components.securitySchemes : {};
  const used = [security, ...operations.map(({ operation }) => operation.security)]
    .flatMap((list): unknown[] => (Array.isArray(list) ? list : []))
    .flatMap((requirement) => (isObject(requirement) ? Object.keys(requirement) : []));
  return [...new Set(used)]
    .filter((name) => !Object.hasOwn(schemes, name))
    .map((name) => `the security scheme ${JSON.stringify(name)} is not in "components.securitySchemes"`);
}
