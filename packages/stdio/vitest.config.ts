import { defineConfig, mergeConfig } from "vitest/config";
import { createTestConfig } from "../../vitest.config.base.js";

export default defineConfig(
  mergeConfig(createTestConfig("stdio"), { test: { globalSetup: "test/bundle-programs.ts" } }),
);
