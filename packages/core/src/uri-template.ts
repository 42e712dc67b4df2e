import { MortiseError } from "./errors.js";

/*
 * URI templates, https://www.rfc-editor.org/rfc/rfc6570: parsed here, expanded in `uri-template-expand.ts`, and matched in
 * `uri-template-match.ts`.
 */

/** How an expression begins. The empty one is that of a plain `{variable}`. */
export type TemplateOperator = "" | "+" | "#" | "." | "/" | ";" | "?" | "&";

/** One variable of an expression. */
export interface TemplateVariable {
  readonly name: string;
  /** Whether lists and objects become one piece for each of their members: `{name*}`. */
  readonly explode: boolean;
  /** How many characters of the value count at most: `{name:3}`. */
  readonly prefix: number | undefined;
}

/** Text to be taken as it is, or an expression. */
export type TemplatePart =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "expression";
      readonly operator: TemplateOperator;
      readonly variables: readonly TemplateVariable[];
    };

/** A URI template, read once. */
export interface UriTemplate {
  /** The template as it was written. */
  readonly text: string;
  readonly parts: readonly TemplatePart[];
  /** The names of its variables, each once. */
  readonly names: readonly string[];
}

/** Bounds what matching can cost, together with the longest URI that is matched. */
const MAX_LENGTH = 2_048;
const MAX_VARIABLES = 32;

const EXPRESSION = /^([+#./;?&]?)(.+)$/;
const RESERVED_OPERATORS = /^[=,!@|]/;
/** A name, then how much of the value counts. */
const VARIABLE = /^((?:\w|%[\dA-Fa-f]{2})(?:\.?(?:\w|%[\dA-Fa-f]{2}))*)(\*|:[1-9]\d{0,3})?$/;
/** What can be no text of a template: blanks and control characters, and a few signs that no URI has. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NO_TEXT = /[\u0000-\u0020"<>\\^`{|}\u007f-\u009f]|%(?![\dA-Fa-f]{2})|\p{Surrogate}/u;

/**
 * Reads a URI template. Throws `invalid_options` for one that is malformed, longer than 2,048 characters, or has more than 32
 * variables.
 */
export function parseUriTemplate(text: string): UriTemplate {
  if (text.length > MAX_LENGTH)
    throw malformed(`at most ${MAX_LENGTH} characters, received one with ${text.length}`, "");
  const parts: TemplatePart[] = [];
  let place = 0;
  while (place < text.length) {
    const opened = text.indexOf("{", place);
    const end = opened === -1 ? text.length : opened;
    if (end > place) parts.push({ kind: "text", text: readText(text, place, end) });
    if (opened === -1) break;
    const closed = text.indexOf("}", opened);
    if (closed === -1) throw malformed('a "}" for each "{"', text);
    parts.push(readExpression(text.slice(opened + 1, closed), text));
    place = closed + 1;
  }
  const variables = parts.flatMap((part) => (part.kind === "text" ? [] : part.variables));
  if (variables.length > MAX_VARIABLES) throw malformed(`at most ${MAX_VARIABLES} variables`, text);
  return { text, parts, names: [...new Set(variables.map(({ name }) => name))] };
}

function readText(template: string, start: number, end: number): string {
  const text = template.slice(start, end);
  const wrong = NO_TEXT.exec(text);
  if (wrong === null) return text;
  throw malformed(`no ${JSON.stringify(wrong[0])} at character ${start + wrong.index + 1}`, template);
}

function readExpression(expression: string, template: string): TemplatePart {
  if (RESERVED_OPERATORS.test(expression))
    throw malformed(`no operator but + # . / ; ? &, received "{${expression}}"`, template);
  const [, operator, list = ""] = EXPRESSION.exec(expression) ?? [];
  const variables = list.split(",").map((variable) => readVariable(variable, expression, template));
  return { kind: "expression", operator: operator as TemplateOperator, variables }; // one of the characters above, or none
}

function readVariable(variable: string, expression: string, template: string): TemplateVariable {
  const [, name, modifier = ""] = VARIABLE.exec(variable) ?? [];
  if (name === undefined)
    throw malformed(`names of letters, digits and "_" between "{" and "}", received "{${expression}}"`, template);
  const prefix = modifier.startsWith(":") ? Number(modifier.slice(1)) : undefined;
  return { name, explode: modifier === "*", prefix };
}

function malformed(expected: string, template: string): MortiseError {
  const where = template === "" ? "" : ` (in ${JSON.stringify(template)})`;
  return new MortiseError("invalid_options", `Expected a URI template to have ${expected}${where}`);
}

/**
 * What matching a template gives, by the text of the template: a string for each variable, a list for an exploded one.
 * Those behind an operator that can leave them out, such as `{?query}`, may be missing.
 */
export type TemplateParams<Text extends string> = string extends Text
  ? Readonly<Record<string, string | readonly string[] | undefined>>
  : [ExpressionsOf<Text>] extends [never]
    ? Readonly<Record<string, never>>
    : Flat<ParamsOf<ExpressionsOf<Text>>>;

type ExpressionsOf<Text extends string> = Text extends `${string}{${infer Expression}}${infer Rest}`
  ? Expression | ExpressionsOf<Rest>
  : never;

type OptionalOperator = "#" | "." | "/" | ";" | "?" | "&";

/** The variables that are always there, with their modifiers. */
type RequiredOf<Expression extends string> = Expression extends `${OptionalOperator}${string}`
  ? never
  : Expression extends `+${infer List}`
    ? Split<List>
    : Split<Expression>;

/** The variables that may be missing, with their modifiers. */
type OptionalOf<Expression extends string> = Expression extends `${OptionalOperator}${infer List}`
  ? Split<List>
  : never;

type Split<List extends string> = List extends `${infer First},${infer Rest}` ? First | Split<Rest> : List;

type NameOf<Variable extends string> = Variable extends `${infer Name}*`
  ? Name
  : Variable extends `${infer Name}:${string}`
    ? Name
    : Variable;

type ValueOf<Variable extends string> = Variable extends `${string}*` ? readonly string[] : string;

type ParamsOf<Expression extends string> = {
  readonly [Variable in RequiredOf<Expression> as NameOf<Variable>]: ValueOf<Variable>;
} & {
  readonly [Variable in OptionalOf<Expression> as NameOf<Variable>]?: ValueOf<Variable> | undefined;
};

type Flat<Params> = { [Name in keyof Params]: Params[Name] };
