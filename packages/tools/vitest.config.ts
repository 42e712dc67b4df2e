import { defineConfig, mergeConfig } from "vitest/config";
import { createTestConfig } from "../../vitest.config.base.js";

export default defineConfig(mergeConfig(createTestConfig("tools"), { test: { globalSetup: "test/build-tools.mjs" } }));
