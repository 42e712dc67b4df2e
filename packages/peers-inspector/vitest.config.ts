import { defineConfig, mergeConfig } from "vitest/config";
import { createTestConfig } from "../../vitest.config.base.js";

export default defineConfig(
  mergeConfig(createTestConfig("peers-inspector"), {
    test: { globalSetup: ["./test/build-fixtures.ts", "./test/build-command.mjs"], testTimeout: 30_000 },
  }),
);
