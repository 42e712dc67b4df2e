// Runs the suite in a runtime with a command line, on the client as it is installed: reads where the servers are from its first argument.
import { runChecks, type Targets } from "../smoke/check.js";
import { SUITE } from "../smoke/suite.js";

/** What differs between the runtimes that this program runs in. */
interface CommandLine {
  readonly process?: { readonly argv: readonly string[] };
  readonly Deno?: { readonly args: readonly string[] };
}

const { Deno, process } = globalThis as unknown as CommandLine; // no types are common to them
const input = Deno?.args[0] ?? process?.argv[2] ?? "";
const outcomes = await runChecks(SUITE, JSON.parse(input) as Targets); // what started it writes this
console.log(JSON.stringify(outcomes));
