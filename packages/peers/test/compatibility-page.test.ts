import { expect, test } from "vitest";
import { renderCompatibilityPage } from "../src/compatibility-page.js";

test("the compatibility page says what these tests run", async () => {
  await expect(renderCompatibilityPage()).toMatchFileSnapshot("../../../docs/compatibility.md");
});
