import { decodeHeaderValue, isObject, Refusal } from "@mortise/core";
import { matchesParam } from "@mortise/core/schema";
import type { Call } from "./call.js";

/*
 * Headers that repeat parts of the body, so that what stands between client and server can route without reading it.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation
 */

/** Compares `Mcp-Method` with the method. */
export function matchMethodHeader(call: Call, header: string | undefined): Refusal | undefined {
  return header === call.request.method ? undefined : mismatch("Mcp-Method", "method", header);
}

/** Compares `Mcp-Name` with the member of the params that the method mirrors. A member that is missing is the parser's business. */
export function matchNameHeader(call: Call, header: string | undefined): Refusal | undefined {
  const member = call.method?.mirrors;
  if (member === undefined) return undefined;
  const name = call.request.params?.[member];
  if (typeof name !== "string") return undefined;
  if (header === name && !header.startsWith("=?")) return undefined;
  const decoded = header === undefined ? undefined : decodeHeaderValue(header);
  return decoded === name ? undefined : mismatch("Mcp-Name", `params.${member}`, header);
}

/** Compares every `Mcp-Param-…` header that the subject asks for with its argument. */
export function matchParamHeaders(call: Call): Refusal | undefined {
  const { header } = call.carrier;
  if (header === undefined) return undefined;
  const params = call.subject?.paramHeaders;
  if (params === undefined || params.length === 0) return undefined;
  const args = call.request.params?.arguments;
  for (const param of params) {
    const value = header(param.header);
    if (!matchesParam(param, value, isObject(args) ? args : {})) {
      return mismatch(`Mcp-Param-${param.name}`, `params.arguments.${param.path.join(".")}`, value);
    }
  }
  return undefined;
}

/** Says which header is wrong and what it has to repeat, but neither value. */
export function mismatch(header: string, member: string, received: string | undefined): Refusal {
  const problem = received === undefined ? "is missing" : "differs";
  return new Refusal(
    "header_mismatch",
    `Expected the ${header} header to repeat "${member}" of the body, but it ${problem}`,
  );
}
