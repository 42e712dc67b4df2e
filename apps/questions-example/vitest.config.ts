import { defineConfig } from "vitest/config";
import { createTestConfig } from "../../vitest.config.base.js";

export default defineConfig(createTestConfig("questions-example"));
