export { createPatternChecker } from "./pattern-safety.js";
export { type SchemaProblem, verifySchema } from "./schema/verify-schema.js";
