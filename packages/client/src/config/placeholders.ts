import { invalidOptions } from "@mortise/core";

/** Where placeholders find their values. */
export interface ConfigVariables {
  /** Values of `${NAME}` and `${env:NAME}`, such as `process.env`. @default none */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Values of `${input:id}`: by id, or a function that gives them. @default none */
  readonly inputs?: Readonly<Record<string, string | undefined>> | ((id: string) => string | undefined) | undefined;
  /** Find names in `env` whatever their case, as Windows does. @default false */
  readonly ignoreCase?: boolean | undefined;
}

/** Puts values in place of the placeholders of a text; `place` says where the text stands, for errors. */
export type Expand = (text: string, place: string) => string;

/** `$${`, which stands for `${`; or `${`, up to the bracket that closes it where there is one. */
const PLACEHOLDER = /\$\$\{|\$\{([^}]*)(\}?)/g;
/** What may stand in a placeholder: a source, a name, and a default. */
const INSIDE = /^(?:(env|input):)?([^:${}]+)(?::-(.*))?$/s;

/**
 * Prepares filling in placeholders: `${NAME}`, `${env:NAME}`, `${input:id}`, each with a default as in `${NAME:-x}`, which
 * also stands in for an empty value. Values are taken as they are: what looks like a placeholder in them is none. `$${`
 * stands for `${`. Throws `invalid_options` for a value that is missing, naming it and its place.
 */
export function createExpander(variables: ConfigVariables): Expand {
  return (text, place) =>
    text.replace(PLACEHOLDER, (whole: string, inside: string | undefined, end: string | undefined) => {
      if (inside === undefined) return "${";
      const [, source, name = "", fallback] = end === "}" ? (INSIDE.exec(inside) ?? []) : [];
      if (name === "" || fallback?.includes("${") === true)
        throw invalidOptions(
          `a placeholder such as "\${NAME}" in ${place}; write "$\${" for the characters themselves`,
        );
      const value = source === "input" ? findInput(variables, name) : findVariable(variables, name);
      if (value !== undefined && (value !== "" || fallback === undefined)) return value;
      if (fallback !== undefined) return fallback;
      throw invalidOptions(`a value for "${whole}" in ${place}`);
    });
}

function findVariable({ env = {}, ignoreCase = false }: ConfigVariables, name: string): string | undefined {
  if (Object.hasOwn(env, name)) return env[name];
  if (!ignoreCase) return undefined;
  const lower = name.toLowerCase();
  const match = Object.keys(env).find((key) => key.toLowerCase() === lower);
  return match === undefined ? undefined : env[match];
}

function findInput({ inputs = {} }: ConfigVariables, id: string): string | undefined {
  if (typeof inputs === "function") return inputs(id);
  return Object.hasOwn(inputs, id) ? inputs[id] : undefined;
}
