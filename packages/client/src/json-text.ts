/** Parses JSON, with or without a byte-order mark; `undefined` when the text is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
