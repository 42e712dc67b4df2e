const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Tells whether a text can be the name of an HTTP header. https://www.rfc-editor.org/rfc/rfc9110.html#name-field-names */
export function isHeaderName(text: string): boolean {
  return TOKEN.test(text);
}
