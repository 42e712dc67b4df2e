import { describeType, invalidOptions, type JsonObject, type OptionRule } from "@mortise/core";

/** What single options have to be. Those that are read to something else are judged by what reads them. */
export type Rules = Readonly<Record<string, OptionRule>>;

/** Refuses options that are not what they have to be. `prefix` stands before their names in errors. Throws `invalid_options`. */
export function checkMembers(options: object, rules: Rules, prefix = ""): void {
  for (const [name, [expected, holds]] of Object.entries(rules)) {
    const value = (options as JsonObject)[name]; // any member may be there, with any value
    if (value !== undefined && !holds(value))
      throw invalidOptions(`"${prefix}${name}" to be ${expected}, received ${describeType(value)}`);
  }
}
