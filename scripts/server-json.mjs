// What the registry's manifest must be, and the check of one against it. The format is described at
// https://github.com/modelcontextprotocol/registry/tree/main/docs/reference/server-json

const SCHEMA = /^https:\/\/static\.modelcontextprotocol\.io\/schemas\/(\d{4}-\d{2}-\d{2})\/server\.schema\.json$/;
/** The first schema with the members that are written here. */
const OLDEST_SCHEMA = "2025-09-29";
const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$/;

/** A rule for a value: what was expected, where it does not hold. */
const text = (pattern, maxLength, expected) => (value) =>
  typeof value === "string" && value.length <= maxLength && pattern.test(value) ? [] : [`Expected ${expected}`];
const anyText = text(/\S/, 255, "a text");
const flag = (value) => (typeof value === "boolean" ? [] : ["Expected true or false"]);
const oneOf =
  (...allowed) =>
  (value) =>
    allowed.includes(value) ? [] : [`Expected ${allowed.join(" or ")}`];

/** A rule for an object: the members it may have, with a rule for each, and those it must have. Others are slips. */
const object =
  (required, members) =>
  (value, path = "") => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return ["Expected an object"];
    const missing = required
      .filter((name) => !(name in value))
      .map((name) => `${path}${name}: Expected it to be there`);
    const found = Object.entries(value).flatMap(([name, member]) => {
      const rule = members[name];
      const problems = rule === undefined ? ["Expected no such member"] : rule(member, `${path}${name}.`);
      return problems.map((problem) => (problem.includes(": ") ? problem : `${path}${name}: ${problem}`));
    });
    return [...missing, ...found];
  };
const list = (rule) => (value, path) =>
  Array.isArray(value)
    ? value.flatMap((item, index) =>
        rule(item, `${path}${index}.`).map((problem) =>
          problem.includes(": ") ? problem : `${path}${index}: ${problem}`,
        ),
      )
    : ["Expected a list"];

const INPUT = {
  description: anyText,
  isRequired: flag,
  isSecret: flag,
  format: oneOf("string", "number", "boolean", "filepath"),
  default: anyText,
  placeholder: anyText,
  value: anyText,
};
const checkSchemaAddress = (value) => {
  const date = typeof value === "string" ? SCHEMA.exec(value)?.[1] : undefined;
  return date !== undefined && date >= OLDEST_SCHEMA ? [] : [`Expected the schema of ${OLDEST_SCHEMA} or a later one`];
};
const checkPackage = object(["registryType", "identifier", "version", "transport"], {
  registryType: oneOf("npm"),
  identifier: anyText,
  version: text(VERSION, 255, "one version, no range"),
  runtimeHint: oneOf("npx"),
  transport: object(["type"], { type: oneOf("stdio") }),
  packageArguments: list(object(["type", "value"], { ...INPUT, type: oneOf("positional") })),
  environmentVariables: list(
    object(["name", "description"], { ...INPUT, name: text(/^[A-Z][A-Z0-9_]*$/, 255, "the name of a variable") }),
  ),
});
const checkManifest = object(["$schema", "name", "description", "version", "packages"], {
  $schema: checkSchemaAddress,
  name: text(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/, 200, "a namespace, a slash and a name"),
  title: text(/\S/, 100, "at most 100 characters"),
  description: text(/\S/, 100, "at most 100 characters"),
  version: text(VERSION, 255, "one version, no range"),
  websiteUrl: text(/^https:\/\//, 255, "an address"),
  repository: object(["url", "source"], {
    url: text(/^https:\/\//, 255, "an address"),
    source: oneOf("github", "gitlab"),
    subfolder: text(/^[\w-]+(\/[\w-]+)*$/, 255, "a clean path"),
  }),
  packages: list(checkPackage),
});

/**
 * Checks a manifest by itself and beside the package it speaks of.
 *
 * @param {unknown} manifest the parsed `server.json`
 * @param {{ name: string, version: string, mcpName?: string, bin?: object }} published the parsed `package.json`
 * @returns {string[]} problems, `path: sentence` each
 */
export function findServerJsonProblems(manifest, published) {
  const problems = checkManifest(manifest);
  if (problems.length > 0) return problems;
  const [only, ...others] = manifest.packages;
  const names = (only?.environmentVariables ?? []).map(({ name }) => name);
  return [
    ...expectEqual("name", manifest.name, "mcpName", published.mcpName),
    ...expectEqual("version", manifest.version, "version", published.version),
    ...expectEqual("packages.0.identifier", only?.identifier, "name", published.name),
    ...expectEqual("packages.0.version", only?.version, "version", published.version),
    ...(others.length === 0 ? [] : ["packages: Expected one package"]),
    ...(published.bin === undefined ? ["package.json: Expected a bin"] : []),
    ...(new Set(names).size === names.length ? [] : ["packages.0.environmentVariables: Expected each name once"]),
  ];
}

/** The manifest with another version, everywhere it stands. */
export function withVersion(manifest, version) {
  return { ...manifest, version, packages: manifest.packages.map((one) => ({ ...one, version })) };
}

function expectEqual(path, value, member, published) {
  return value === published ? [] : [`${path}: Expected "${member}" of package.json, ${published}, received ${value}`];
}
