import { describeType, type JsonObject, JsonRpcError, MortiseError, RPC } from "@mortise/core";
import { formatPath, readSchema, type SchemaReading } from "@mortise/core/schema";
import type { Accepts } from "../json-schema/quick-check.js";
import type { Checked, CompiledSchema, SchemaSource } from "./checked.js";
import { toObjectRoot } from "./object-root.js";

/** Compiled code is up to ten times as fast as the quick check, which is worth its loading time to a server that is in use. */
const QUICK_CALLS = 64;

/**
 * Compiles a plain JSON Schema. It is published as it is. The quick check is loaded with the first value. The validator is loaded
 * with the first that the quick check does not accept, or once the schema has been in use for a while. A suspicious schema is
 * verified by a module of its own, which is loaded at once; no value is checked before that is done.
 */
export function compilePlain(schema: JsonObject, { side, where }: SchemaSource): CompiledSchema {
  const reading = readSchema(schema, where);
  const verified = reading.suspicious ? verify(reading, where) : undefined;
  let quick: Accepts | undefined;
  let calls = 0;
  let validate: ((value: unknown) => Checked) | undefined;
  let prepared: Promise<void> | undefined;
  const prepare = async (): Promise<void> => {
    // Said at registration already, to the server's owner; this is for the caller.
    if ((await verified) !== undefined) throw new JsonRpcError(RPC.internalError, `The ${where} was refused`);
    const { createQuickCheck } = await import("../json-schema/quick-check.js");
    quick = createQuickCheck(reading.json);
  };
  const load = async (value: unknown): Promise<Checked> => {
    prepared ??= prepare();
    await prepared;
    if (calls <= QUICK_CALLS && quick?.(value) === true) return { ok: true, value };
    const { buildValidator } = await import("../json-schema/build-validator.js");
    validate ??= buildValidator(reading, { accepts: quick, describeType, formatPath });
    return validate(value);
  };
  const check = (value: unknown): Checked | Promise<Checked> => {
    if (validate !== undefined) return validate(value);
    calls += 1;
    return calls <= QUICK_CALLS && quick?.(value) === true ? { ok: true, value } : load(value);
  };
  const json = side === "input" ? toObjectRoot(reading, where) : reading.json;
  return { json, annotations: reading.annotations, verified, check };
}

/** Resolves with what is wrong with the schema, if anything is. Never rejects. */
async function verify(reading: SchemaReading, where: string): Promise<MortiseError | undefined> {
  try {
    const { verifySchema } = await import("@mortise/core/patterns");
    const problem = verifySchema(reading, where);
    return problem && new MortiseError(problem.code, problem.message);
  } catch (cause) {
    return new MortiseError("schema_invalid", `The ${where} could not be verified`, { cause });
  }
}
