export { stdio } from "./stdio.js";
export type { StdioInfo, StdioOptions } from "./stdio-options.js";
