import { defineConfig, mergeConfig } from "vitest/config";
import { createTestConfig } from "../../vitest.config.base.js";

export default defineConfig(mergeConfig(createTestConfig("cli"), { test: { globalSetup: "test/build-command.mjs" } }));
