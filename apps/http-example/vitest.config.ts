import { defineConfig, mergeConfig } from "vitest/config";
import { createTestConfig } from "../../vitest.config.base.js";

export default defineConfig(
  mergeConfig(createTestConfig("http-example"), {
    test: { globalSetup: "test/example-programs.ts", testTimeout: 20_000 },
  }),
);
