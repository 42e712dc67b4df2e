export {
  collectParamHeaders,
  matchesParam,
  type ParamAnnotation,
  type ParamHeader,
  readParam,
  toParamHeaders,
} from "../param-headers.js";
export type { Dialect } from "./dialect.js";
export { formatPath } from "./format-path.js";
export { type Shape, shapeOf } from "./keywords.js";
export { readSchema, type SchemaReading } from "./read-schema.js";
