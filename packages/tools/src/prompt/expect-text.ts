import { ToolFailure } from "../tool-failure.js";

/** Refuses arguments that hold white space alone, before anybody is asked about nothing. Throws `ToolFailure`. */
export function expectText(name: string, value: string): void {
  if (value.trim() === "") throw new ToolFailure(`Expected "${name}" to hold text, received white space alone`);
}
