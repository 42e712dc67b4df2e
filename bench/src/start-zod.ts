import * as z from "zod";

/** The input of the same tools in zod. */
export function createStartInput(): z.ZodObject {
  return z.object({ path: z.string(), depth: z.int().optional(), mode: z.enum(["fast", "safe"]).optional() });
}
