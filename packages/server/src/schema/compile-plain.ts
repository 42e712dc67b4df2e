import {
  type Accepts,
  createQuickCheck,
  describeType,
  formatPath,
  type JsonObject,
  JsonRpcError,
  MortiseError,
  RPC,
  readSchema,
  type SchemaReading,
} from "@mortise/core";
import type { Checked, CompiledSchema, SchemaSource } from "./checked.js";
import { toObjectRoot } from "./object-root.js";

/** Compiled code is up to ten times as fast as the quick check, which is worth its loading time to a server that is in use. */
const QUICK_CALLS = 64;

/**
 * Compiles a plain JSON Schema. It is published as it is. The validator is loaded with the first value that the quick check does
 * not accept, or once the schema has been in use for a while, so that a server answers its first calls without it. A suspicious
 * schema is verified by a module of its own, which is loaded at once; no value is checked before that is done.
 */
export function compilePlain(schema: JsonObject, source: SchemaSource): CompiledSchema {
  const reading = readSchema(schema, source.where);
  const verified = reading.suspicious ? verify(reading, source.where) : undefined;
  let accepts: Accepts | undefined;
  let calls = 0;
  let validate: ((value: unknown) => Checked) | undefined;
  const load = async (value: unknown): Promise<Checked> => {
    // Said at registration already, to the server's owner; this is for the caller.
    if ((await verified) !== undefined) throw new JsonRpcError(RPC.internalError, `The ${source.where} was refused`);
    const { buildValidator } = await import("../json-schema/build-validator.js");
    validate ??= buildValidator(reading, { accepts, describeType, formatPath });
    return validate(value);
  };
  const check = (value: unknown): Checked | Promise<Checked> => {
    if (validate !== undefined) return validate(value);
    if (calls === 0 && verified === undefined) accepts = createQuickCheck(reading.json);
    calls += 1;
    return calls > QUICK_CALLS || accepts?.(value) !== true ? load(value) : { ok: true, value };
  };
  return {
    json: source.side === "input" ? toObjectRoot(reading, source.where) : reading.json,
    annotated: reading.annotated,
    verified,
    check,
  };
}

/** Resolves with what is wrong with the schema, if anything is. Never rejects. */
async function verify(reading: SchemaReading, where: string): Promise<MortiseError | undefined> {
  try {
    const { verifySchema } = await import("../json-schema/verify-schema.js");
    const problem = verifySchema(reading, where);
    return problem && new MortiseError(problem.code, problem.message);
  } catch (cause) {
    return new MortiseError("schema_invalid", `The ${where} could not be verified`, { cause });
  }
}
