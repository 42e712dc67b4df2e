/*
 * The two readers a command line passes on its way into a batch file's program, as far as their documentation describes them:
 * the command interpreter, and the argument parser of the C runtime.
 */

/** Expands `%NAME%` and `%NAME:~start,length%` as the interpreter does on a command line; an unknown name stays as it is. */
export function expandVariables(line: string, variables: Readonly<Record<string, string>>): string {
  let result = "";
  for (let at = 0; at < line.length; at += 1) {
    const end = line.indexOf("%", at + 1);
    const body = line[at] === "%" && end > at + 1 ? line.slice(at + 1, end) : undefined;
    const [name = "", range] = body?.split(":~") ?? [];
    const value = variables[name.toUpperCase()];
    if (body === undefined || value === undefined) {
      result += line[at];
      continue;
    }
    // An empty start is 0, an empty length too.
    const [start, length] = (range ?? `0,${value.length}`).split(",").map(Number);
    result += value.slice(start, (start ?? 0) + (length ?? value.length));
    at = end;
  }
  return result;
}

/** The part of a line that the interpreter would act on: what stands outside quotes. */
export function outsideQuotes(line: string): string {
  let quoted = false;
  let result = "";
  for (const character of line) {
    if (character === '"') quoted = !quoted;
    else if (!quoted) result += character;
  }
  return result;
}

/** Splits a command line into arguments by the rules of the C runtime. */
export function parseArguments(line: string): string[] {
  const found: string[] = [];
  let current: string | undefined;
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? "";
    if (character === "\\") {
      const run = /^\\+/.exec(line.slice(at))?.[0].length ?? 0;
      const beforeQuote = line[at + run] === '"';
      current = (current ?? "") + "\\".repeat(beforeQuote ? Math.floor(run / 2) : run);
      at += run - 1;
      if (beforeQuote && run % 2 === 1) {
        current += '"';
        at += 1;
      }
    } else if (character === '"') {
      current ??= "";
      if (quoted && line[at + 1] === '"') {
        current += '"';
        at += 1;
      } else quoted = !quoted;
    } else if (character === " " && !quoted) {
      if (current !== undefined) found.push(current);
      current = undefined;
    } else current = (current ?? "") + character;
  }
  return current === undefined ? found : [...found, current];
}
