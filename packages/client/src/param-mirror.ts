import { encodeHeaderValue, type JsonObject, MortiseError } from "@mortise/core";
import { collectParamHeaders, type ParamHeader, readParam } from "@mortise/core/schema";
import type { HeaderList } from "./platform/platform.js";

/** Gives the headers that mirror the arguments of one call. */
export type Mirror = (args: JsonObject) => HeaderList;

/**
 * Makes the mirror of a tool; `undefined` when nothing of it is mirrored. Throws `invalid_param_header` for annotations that break
 * a rule.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#custom-headers-from-tool-parameters
 */
export function createMirror(name: string, inputSchema: JsonObject): Mirror | undefined {
  const params = readParams(name, inputSchema);
  if (params.length === 0) return undefined;
  return (args) =>
    params.flatMap(({ name: header, path }) => {
      const value = readParam(args, path);
      return value === undefined ? [] : [`Mcp-Param-${header}`, encodeHeaderValue(value)];
    });
}

function readParams(name: string, inputSchema: JsonObject): readonly ParamHeader[] {
  try {
    return collectParamHeaders(inputSchema);
  } catch (error) {
    if (!(error instanceof MortiseError)) throw error;
    throw new MortiseError(error.code, `Left out tool ${JSON.stringify(name)}: ${error.message}`, { cause: error });
  }
}
