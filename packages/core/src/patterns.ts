export { createPatternChecker } from "./pattern-safety.js";
