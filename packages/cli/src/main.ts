#!/usr/bin/env node

void main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  try {
    await run(args);
  } catch (error) {
    const { reportFailure } = await import("./report-failure.js");
    process.exitCode = reportFailure(error);
  }
}

/**
 * Assistants start `mortise mcp` again and again, mostly without options. Then there is nothing to parse, no parser is loaded, and what
 * will be needed is loaded at once.
 */
async function run(args: readonly string[]): Promise<void> {
  if (args.length === 1 && args[0] === "mcp") {
    const [{ runMcp }] = await Promise.all([import("./mcp/run-mcp.js"), import("@mortise/stdio")]);
    await runMcp();
  } else {
    const { runProgram } = await import("./program.js");
    await runProgram(args);
  }
}
