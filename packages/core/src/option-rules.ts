import { describeType, MortiseError } from "./errors.js";
import { isObject } from "./json.js";

/** What an option has to be: in words, and as a test. */
export type OptionRule = readonly [expected: string, holds: (value: unknown) => boolean];

/** The rule of every option of a kind. */
export type OptionRules<Options> = Readonly<Record<keyof Options & string, OptionRule>>;

/** A limit for the length of messages. */
export const BYTES: OptionRule = [
  "a positive whole number of bytes",
  (bytes) => Number.isSafeInteger(bytes) && Number(bytes) > 0,
];
/** A switch. */
export const FLAG: OptionRule = ["true or false", (flag) => typeof flag === "boolean"];
/** A function, such as one that is told something. */
export const HOOK: OptionRule = ["a function", (hook) => typeof hook === "function"];
/** Some text. */
export const TEXT: OptionRule = ["a string", (text) => typeof text === "string"];
/** An object with members of its own rules. */
export const MEMBERS: OptionRule = ["an object", isObject];
/** A list of anything. */
export const LIST: OptionRule = ["an array", Array.isArray];
/** How many of something. */
export const COUNT: OptionRule = [
  "a whole number, 0 or more",
  (count) => Number.isSafeInteger(count) && Number(count) >= 0,
];

/** The rule for one of several words. */
export function oneOf(...choices: readonly unknown[]): OptionRule {
  return [`one of ${choices.map((choice) => JSON.stringify(choice)).join(", ")}`, (value) => choices.includes(value)];
}

/**
 * Refuses options that do not exist or are not what they have to be. `prefix` stands before their names in errors.
 * Throws `invalid_options`.
 */
export function checkOptions<Options extends object>(options: Options, rules: OptionRules<Options>, prefix = ""): void {
  if (!isObject(options as unknown)) throw wrongOption("options", "an object", options);
  const known = new Map<string, OptionRule>(Object.entries(rules));
  for (const [member, value] of Object.entries(options)) {
    const rule = known.get(member);
    if (rule === undefined)
      throw new MortiseError(
        "invalid_options",
        `Unknown option "${prefix}${member}"; known are ${[...known.keys()].join(", ")}`,
      );
    if (value !== undefined && !rule[1](value)) throw wrongOption(prefix + member, rule[0], value);
  }
}

/** The `invalid_options` error for an option: what was expected of it, and what came. Never shows more of a value than a word or a number. */
export function wrongOption(member: string, expected: string, value: unknown): MortiseError {
  const received = typeof value === "string" || typeof value === "number" ? JSON.stringify(value) : describeType(value);
  return new MortiseError("invalid_options", `Expected "${member}" to be ${expected}, received ${received}`);
}

/** The `invalid_options` error for what a caller passes: it says what was expected. */
export function invalidOptions(expected: string, cause?: unknown): MortiseError {
  return new MortiseError("invalid_options", `Expected ${expected}`, cause === undefined ? undefined : { cause });
}
