import type { Finding, State } from "./finding.js";
import type { Diagnosis } from "./run-doctor.js";

const MARKS: Readonly<Record<State, { readonly word: string; readonly color: number }>> = {
  ok: { word: "ok  ", color: 32 },
  warning: { word: "look", color: 33 },
  failed: { word: "FAIL", color: 31 },
};

/** How a diagnosis is shown. */
export interface Style {
  readonly colors: boolean;
}

/** Writes a diagnosis for people, a line for each finding. */
export function writeDiagnosis({ ok, sections }: Diagnosis, style: Style): string {
  const blocks = sections.map(({ title, findings }) => {
    return [title, ...findings.flatMap((finding) => writeFinding(finding, style))].join("\n");
  });
  const findings = sections.flatMap((section) => section.findings);
  const first = findings.find(({ state }) => state === "failed");
  const end = ok ? "Nothing failed." : `First thing to mend: ${first === undefined ? "" : plain(first.text)}`;
  return `${[...blocks, end].join("\n\n")}\n`;
}

/** Writes a diagnosis for programs. What could steer a terminal is escaped, which JSON itself does for a part alone. */
export function writeJson({ ok, sections, server }: Diagnosis): string {
  const text = JSON.stringify({ ok, sections, server: server ?? null }, undefined, 2);
  return `${text.replace(/[\u007f-\u009f]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`)}\n`;
}

function writeFinding({ state, text, hint, details = [] }: Finding, { colors }: Style): string[] {
  const { word, color } = MARKS[state];
  const mark = colors ? `\u001b[${color}m${word}\u001b[39m` : word;
  const below = [...details.map((line) => `| ${plain(line)}`), ...(hint === undefined ? [] : [plain(hint)])];
  return [`  ${mark}  ${plain(text)}`, ...below.map((line) => `        ${line}`)];
}

/** What a server says must not steer the terminal, nor turn around the direction it is read in. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is taken out
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g, " ");
}
