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
  readonly named: boolean;
  /** What follows the name of an empty value. */
  readonly empty: string;
  readonly encode: (text: string) => string;
}

const PATH = { named: false, empty: "", encode: encodeStrict };
const STYLES: Readonly<Record<TemplateOperator, Style>> = {
  "": { ...PATH, first: "", separator: "," },
  "+": { ...PATH, first: "", separator: ",", encode: encodeReserved },
  "#": { ...PATH, first: "#", separator: ",", encode: encodeReserved },
  ".": { ...PATH, first: ".", separator: "." },
  "/": { ...PATH, first: "/", separator: "/" },
  ";": { first: ";", separator: ";", named: true, empty: "", encode: encodeStrict },
  "?": { first: "?", separator: "&", named: true, empty: "=", encode: encodeStrict },
  "&": { first: "&", separator: "&", named: true, empty: "=", encode: encodeStrict },
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
  if (typeof value !== "object") {
    const text = prefix === undefined ? String(value) : [...String(value)].slice(0, prefix).join("");
    return [withName(name, style.encode(text), style)];
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
  if (members.length === 0) return [];
  const pairs = members.map(([key, member]) => [style.encode(key), style.encode(String(member))] as const);
  if (Array.isArray(value)) {
    const items = pairs.map(([, item]) => item);
    return explode ? items.map((item) => withName(name, item, style)) : [withName(name, items.join(","), style)];
  }
  if (explode) return pairs.map(([key, item]) => (style.named ? withName(key, item, style) : `${key}=${item}`));
  return [withName(name, pairs.flat().join(","), style)];
}

function withName(name: string, text: string, style: Style): string {
  if (!style.named) return text;
  return text === "" ? name + style.empty : `${name}=${text}`;
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
