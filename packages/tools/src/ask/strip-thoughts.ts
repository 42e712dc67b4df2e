const TAG = "(think|thinking|reasoning)";
const AT_START = new RegExp(`^\\s*<${TAG}>[\\s\\S]*?</\\1>\\s*`, "i");
const BEGINS = new RegExp(`<${TAG}>`, "i");
const ENDS = new RegExp(`</${TAG}>\\s*`, "i");

/** Takes away what a model thought before it answered. Some leave out where that begins. */
export function stripThoughts(text: string): string {
  const stripped = text.replace(AT_START, "");
  if (stripped !== text) return stripped;
  const end = ENDS.exec(text);
  return end === null || BEGINS.test(text) ? text : text.slice(end.index + end[0].length);
}
