import { defineConfig, mergeConfig } from "vitest/config";
import { createTestConfig } from "../../vitest.config.base.js";

export default defineConfig(
  mergeConfig(createTestConfig("peers"), { test: { globalSetup: ["./src/global-setup.ts"], testTimeout: 20_000 } }),
);
