import type { ToolSpec } from "../tool-spec.js";
import { ASK_MODEL } from "./ask-model.js";
import { CONSENSUS } from "./consensus.js";
import { FIX_CODE } from "./fix-code.js";
import { GENERATE_COMPONENT } from "./generate-component.js";
import { GENERATE_DESIGN_TOKENS } from "./generate-design-tokens.js";
import { GENERATE_FORM } from "./generate-form.js";
import { GENERATE_IMAGE } from "./generate-image.js";
import { GENERATE_MOCK_DATA } from "./generate-mock-data.js";
import { GENERATE_OPENAPI_SPEC } from "./generate-openapi-spec.js";
import { GENERATE_REGEX } from "./generate-regex.js";
import { GENERATE_SEO_META } from "./generate-seo-meta.js";
import { GENERATE_SQL } from "./generate-sql.js";
import { GENERATE_UNIT_TESTS } from "./generate-unit-tests.js";
import { LIST_PROVIDERS } from "./list-providers.js";
import { REVIEW_CODE } from "./review-code.js";

/** Every tool, in the order in which they are listed. */
export const ALL_TOOLS: readonly ToolSpec[] = [
  ASK_MODEL,
  CONSENSUS,
  REVIEW_CODE,
  GENERATE_COMPONENT,
  GENERATE_FORM,
  GENERATE_SQL,
  GENERATE_OPENAPI_SPEC,
  GENERATE_DESIGN_TOKENS,
  GENERATE_REGEX,
  GENERATE_MOCK_DATA,
  GENERATE_SEO_META,
  GENERATE_UNIT_TESTS,
  FIX_CODE,
  GENERATE_IMAGE,
  LIST_PROVIDERS,
];
