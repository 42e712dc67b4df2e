import { ToolFailure } from "../tool-failure.js";
import type { SeoMeta } from "./render-meta.js";

/** How long each field may be, in characters as people count them. */
const LENGTHS: ReadonlyArray<readonly [keyof SeoMeta, number, number]> = [
  ["title", 10, 60],
  ["description", 50, 160],
  ["ogTitle", 10, 90],
  ["ogDescription", 30, 200],
];
const KEYWORD_LENGTH = 50;

/** Says what is wrong with the fields of a page; `undefined` for nothing. */
export function findMetaProblems(meta: SeoMeta): string | undefined {
  const lengths = LENGTHS.flatMap(([field, least, most]) => {
    const length = countCharacters(String(meta[field]).trim());
    if (length >= least && length <= most) return [];
    return [`expected "${field}" to have ${least} to ${most} characters, received ${length}`];
  });
  const control = LENGTHS.flatMap(([field]) => {
    return /\p{Cc}/u.test(String(meta[field])) ? [`expected "${field}" to be one line`] : [];
  });
  const keywords = meta.keywords.flatMap((keyword) => {
    if (countCharacters(keyword) <= KEYWORD_LENGTH && !/[\p{Cc},]/u.test(keyword) && keyword.trim() !== "") return [];
    return [
      `expected every keyword to be a word or a few without commas, received ${JSON.stringify(keyword.slice(0, 60))}`,
    ];
  });
  const problems = [...lengths, ...control, ...keywords];
  return problems.length === 0 ? undefined : problems.join("; ");
}

/** Reads the address of a page, without its fragment. Throws `ToolFailure` for anything but an http or https address. */
export function readCanonical(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !["http:", "https:"].includes(parsed.protocol))
    throw new ToolFailure(
      `Expected "url" to be an address with http or https, received ${JSON.stringify(url.slice(0, 100))}`,
    );
  if (parsed.username !== "" || parsed.password !== "")
    throw new ToolFailure('Expected "url" to be an address without a user name or a password');
  parsed.hash = "";
  return parsed.href;
}

function countCharacters(text: string): number {
  return [...new Intl.Segmenter("en").segment(text)].length;
}
