import { MCPServer, type StateOptions } from "@mortise/server";
import type { Sealer } from "../../src/sealer.js";

/** A key made of one byte over and over, since tests may know their keys. */
export function keyOf(byte: number): Uint8Array {
  return new Uint8Array(32).fill(byte);
}

/** The sealer of a server, and what its owner was told. */
export function createSealer(state?: StateOptions): {
  readonly sealer: Sealer;
  readonly warnings: string[];
  readonly errors: unknown[];
} {
  const warnings: string[] = [];
  const errors: unknown[] = [];
  const server = new MCPServer({
    name: "test",
    version: "1",
    state,
    onWarning: (message) => warnings.push(message),
    onError: (error) => errors.push(error),
  });
  return { sealer: server.inside.core.sealer, warnings, errors };
}
