/** The look-ahead leaves one way to read a row of marks: otherwise a long one would take its length squared. */
const FENCE = /^[ \t]*(`{3,}|~{3,})(?![`~])([^`\n]*)$/;

/** Lines of a text that stand between fences. */
interface Block {
  readonly code: string;
  /** The first and the last line, fences included. */
  readonly from: number;
  readonly to: number;
}

/**
 * Takes code out of the fence that a model put around it. Where several pieces are fenced, the longest is taken; text without any
 * stays. A fence that is never closed reaches to the end.
 */
export function unwrapCode(text: string): string {
  const blocks = listBlocks(text.split(/\r?\n/));
  if (blocks.length === 0) return text.trim();
  return trimBlankLines(
    blocks.reduce((longest, each) => (each.code.length > longest.code.length ? each : longest)).code,
  );
}

/** Takes code out of a fence around the whole of it. Code that only has fences in it stays as it is. */
export function unwrapWhole(text: string): string {
  const lines = text.trim().split(/\r?\n/);
  const [block] = listBlocks(lines);
  if (block === undefined || block.from !== 0 || block.to !== lines.length - 1) return text;
  return trimBlankLines(block.code);
}

/** What stands in each fence of a text, in order. Takes time in proportion to the text. */
export function listFenced(text: string): string[] {
  return listBlocks(text.split(/\r?\n/)).map(({ code }) => code);
}

/** Fenced code may hold fences itself: inside, a fence with a word behind it opens another one, a bare one closes the innermost. */
function listBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  const open: { readonly mark: string; readonly line: number }[] = [];
  const close = (from: number, to: number): void => {
    blocks.push({ code: lines.slice(from + 1, to).join("\n"), from, to: Math.min(to, lines.length - 1) });
  };
  for (const [line, content] of lines.entries()) {
    const [, mark, word = ""] = FENCE.exec(content) ?? [];
    if (mark === undefined) continue;
    const innermost = open.at(-1);
    if (innermost === undefined || (word.trim() !== "" && mark[0] === innermost.mark[0])) open.push({ mark, line });
    else if (word.trim() === "" && mark.startsWith(innermost.mark)) {
      open.pop();
      if (open.length === 0) close(innermost.line, line);
    }
  }
  const [unclosed] = open;
  if (unclosed !== undefined) close(unclosed.line, lines.length);
  return blocks;
}

/** Without the blank lines around it, and with the indentation of its first line. */
function trimBlankLines(code: string): string {
  return code.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
}
