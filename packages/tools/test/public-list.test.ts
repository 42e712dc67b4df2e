import * as tools from "@mortise/tools";
import { expect, test } from "vitest";

test("the package offers these values and no others", () => {
  expect(Object.keys(tools).sort()).toEqual(["PROVIDER_IDS", "TOOL_NAMES", "addProviderTools", "describeProviders"]);
});

test("the tools are these, in this order", () => {
  expect(tools.TOOL_NAMES).toEqual([
    "ask_model",
    "consensus",
    "review_code",
    "generate_component",
    "generate_form",
    "generate_sql",
    "generate_openapi_spec",
    "generate_design_tokens",
    "generate_regex",
    "generate_mock_data",
    "generate_seo_meta",
    "generate_unit_tests",
    "fix_code",
    "generate_image",
    "list_providers",
  ]);
});
