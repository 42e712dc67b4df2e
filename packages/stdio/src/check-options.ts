import { describeType, isObject, MortiseError } from "@mortise/core";

/** Refuses an option that is there and is not what was expected. Throws `invalid_options`. */
export function expectOption(name: string, value: unknown, expected: string, holds: (value: unknown) => boolean): void {
  if (value === undefined || holds(value)) return;
  const received = typeof value === "number" || typeof value === "string" ? JSON.stringify(value) : describeType(value);
  throw new MortiseError("invalid_options", `Expected "${name}" to be ${expected}, received ${received}`);
}

/** Refuses what is no limit for the length of messages. */
export function expectByteLimit(name: string, value: unknown): void {
  expectOption(
    name,
    value,
    "a whole number of bytes, 1 or more",
    (bytes) => Number.isSafeInteger(bytes) && Number(bytes) > 0,
  );
}

/** Refuses what is no time. */
export function expectTime(name: string, value: unknown): void {
  expectOption(name, value, "a number of milliseconds, 0 or more", (ms) => typeof ms === "number" && ms >= 0);
}

/** Refuses what is none of the choices. */
export function expectChoice(name: string, value: unknown, choices: readonly unknown[]): void {
  expectOption(name, value, `one of ${choices.map((choice) => JSON.stringify(choice)).join(", ")}`, (given) =>
    choices.includes(given),
  );
}

/** Refuses options that are no object. */
export function expectOptions(options: unknown, what: string): void {
  if (!isObject(options))
    throw new MortiseError("invalid_options", `Expected ${what} to be an object, received ${describeType(options)}`);
}
