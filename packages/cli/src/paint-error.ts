/** Makes the word in front of an error red on a terminal, unless `NO_COLOR` is set. */
export function paintError(text: string): string {
  const { stderr } = process;
  if (stderr.isTTY !== true || !stderr.hasColors()) return text;
  return text.replace(/^error:/, "\u001b[31merror:\u001b[39m");
}
