/** Takes code out of the fence that a model put around it. Where several are fenced, the longest is taken; text without any stays. */
export function unwrapCode(text: string): string {
  const fenced = [...text.matchAll(/^[ \t]*(`{3,}|~{3,})[^\n`]*\n([\s\S]*?)^[ \t]*\1[ \t]*$/gm)].map(
    ([, , code = ""]) => code,
  );
  if (fenced.length === 0) return text.trim();
  return fenced.reduce((longest, code) => (code.length > longest.length ? code : longest)).trimEnd();
}
