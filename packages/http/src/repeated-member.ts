/** What is looked for in long texts: quotes are rare in them. */
const QUOTED = ['"id"', '"method"', '"params"'];
/** In short texts quotes are everywhere, and a search stops at each. The ends of the names are found three times as fast. */
const ENDS = ['id"', 'hod"', 'ams"'];
const SHORT_TEXT = 2_048;
/** A name in disguise. */
const ESCAPED_LETTER = /\\u00[67]/i;

/**
 * Tells whether a message, given as valid JSON text, names its `id`, `method` or `params` twice. Most texts hold each
 * name once at most, so that only the rest are looked at closely.
 */
export type RepeatRule = (text: string) => boolean | Promise<boolean>;

/** Builds the rule. What looks closely is loaded when it is first needed; until then, the rule gives a promise. */
export function createRepeatRule(): RepeatRule {
  let look: ((text: string) => boolean) | undefined;
  const load = async (text: string): Promise<boolean> => {
    ({ hasRepeatedKey: look } = await import("./repeated-key.js"));
    return look(text);
  };
  return (text) => mayRepeat(text) && (look ?? load)(text);
}

function mayRepeat(text: string): boolean {
  for (const member of text.length > SHORT_TEXT ? QUOTED : ENDS) {
    const first = text.indexOf(member);
    if (first !== -1 && text.indexOf(member, first + member.length) !== -1) return true;
  }
  return text.includes("\\") && ESCAPED_LETTER.test(text);
}
