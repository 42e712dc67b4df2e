import type { TemplateOperator, TemplateVariable, UriTemplate } from "./uri-template.js";

/** What a variable can stand for. `null`, `undefined`, and lists and objects without members leave it out. */
export type TemplateValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly (string | number | boolean | null | undefined)[]
  | { readonly [name: string]: string | number | boolean | null | undefined };

/** How an operator writes its variables. https://www.rfc-editor.org/rfc/rfc6570#appendix-A */
interface Style {
  readonly first: string;
  readonly separator: string;
  /** Whether names are written, and what follows the name of an empty value. */
  readonly named?: { readonly empty: "" | "=" };
  /** @default encodeStrict */
  readonly encode?: (text: string) => string;
}

const STYLES: Readonly<Record<TemplateOperator, Style>> = {
  "": { first: "", separator: "," },
  "+": { first: "", separator: ",", encode: encodeReserved },
  "#": { first: "#", separator: ",", encode: encodeReserved },
  ".": { first: ".", separator: "." },
  "/": { first: "/", separator: "/" },
  ";": { first: ";", separator: ";", named: { empty: "" } },
  "?": { first: "?", separator: "&", named: { empty: "=" } },
  "&": { first: "&", separator: "&", named: { empty: "=" } },
};

/** Fills the variables of a template in, as RFC 6570 says up to its level 4. Never throws. */
export function expandUriTemplate(template: UriTemplate, values: { readonly [name: string]: TemplateValue }): string {
  let uri = "";
  for (const part of template.parts) {
    if (part.kind === "text") uri += encodeReserved(part.text);
    else {
      const style = STYLES[part.operator];
      const pieces = part.variables.flatMap((variable) => expandVariable(variable, ownValue(values, variable), style));
      if (pieces.length > 0) uri += style.first + pieces.join(style.separator);
    }
  }
  return uri;
}

/** A variable may have the name of something that every object inherits. */
function ownValue(values: { readonly [name: string]: TemplateValue }, { name }: TemplateVariable): TemplateValue {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** The pieces of one variable; none where it has no value. */
function expandVariable(variable: TemplateVariable, value: TemplateValue, style: Style): readonly string[] {
  if (value === undefined || value === null) return [];
  const { name, explode, prefix } = variable;
  const { named, encode = encodeStrict } = style;
  if (typeof value !== "object") {
    const text = prefix === undefined ? String(value) : [...String(value)].slice(0, prefix).join("");
    return [withName(name, encode(text), style)];
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
  if (members.length === 0) return [];
  const pairs = members.map(([key, member]) => [encode(key), encode(String(member))] as const);
  if (Array.isArray(value)) {
    const items = pairs.map(([, item]) => item);
    return explode ? items.map((item) => withName(name, item, style)) : [withName(name, items.join(","), style)];
  }
  if (explode) return pairs.map(([key, item]) => (named === undefined ? `${key}=${item}` : withName(key, item, style)));
  return [withName(name, pairs.flat().join(","), style)];
}

function withName(name: string, text: string, { named }: Style): string {
  if (named === undefined) return text;
  return text === "" ? name + named.empty : `${name}=${text}`;
}

/** Everything but unreserved characters. */
function encodeStrict(text: string): string {
  return encodeURIComponent(toWellFormed(text)).replace(/[!'()*]/g, encodeByte);
}

/** Everything but unreserved and reserved characters, and what is encoded already. */
function encodeReserved(text: string): string {
  return toWellFormed(text).replace(/%(?![\dA-Fa-f]{2})|[^\w.~:/?#[\]@!$&'()*+,;=%-]+/g, encodeURIComponent);
}

function encodeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Half of a surrogate pair has no encoding. */
function toWellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}
