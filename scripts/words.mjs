// What no tracked file may contain, as data, and the check of one text against it.

const TEST_FILE = /\.(test|test-d|bench)\.[cm]?[jt]sx?$/;
const CODE_FILE = /\.[cm]?[jt]sx?$/;

/** Patterns are put together from pieces where this file would otherwise be its own first find. */
const RULES = [
  {
    rule: "registry-host",
    pattern: /https?:\/\/registry\.|\bregistry\.(npmjs|yarnpkg|npmmirror)\.|\b(npm|pypi)\.pkg\./,
    message: "Names a package registry's host: leave the choice to each machine's npm settings",
  },
  {
    rule: "machine-path",
    pattern: new RegExp(`(?<![\\w.@~/-])/(?:${["work", "tmp"].join("|")})/`),
    message: "Names an absolute path of one machine",
  },
  {
    rule: "unfinished",
    pattern: new RegExp(`\\b(?:${["TO" + "DO", "FIX" + "ME", "X" + "XX"].join("|")})\\b`),
    message: "Finish it, or write down what is not supported",
  },
  {
    rule: "skipped-test",
    files: TEST_FILE,
    pattern: /\.(?:skip|only|todo)\(|\b(?:xit|xdescribe|fit|fdescribe)\(/,
    message: "Every test runs: mend it or remove it",
  },
  {
    rule: "empty-catch",
    files: CODE_FILE,
    pattern: /\bcatch\s*(?:\([^)]*\)\s*)?\{\s*\}/,
    message: "Catch what you can name, and do something about it",
  },
];

/**
 * Finds what must not be there.
 *
 * @param {string} file path below the root, with forward slashes
 * @param {string} text
 * @returns {{ line: number, rule: string, message: string }[]}
 */
export function findWordProblems(file, text) {
  return RULES.filter(({ files }) => files === undefined || files.test(file)).flatMap(({ rule, pattern, message }) =>
    [...text.matchAll(new RegExp(pattern.source, "g"))].map((match) => ({
      line: text.slice(0, match.index).split("\n").length,
      rule,
      message,
    })),
  );
}
