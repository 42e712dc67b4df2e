import type { ViteUserConfig } from "vitest/config";

/**
 * What every package's tests share: workspace packages are read from source, so no build is needed, and type tests
 * (`*.test-d.ts`) are checked where there are any.
 */
export function createTestConfig(name: string): ViteUserConfig {
  // Without "import": Node gets these conditions, too, and would then give ESM to packages that require CommonJS.
  const conditions = ["@mortise/source", "node", "module"];
  return {
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: conditions } },
    test: {
      name,
      include: ["test/**/*.test.ts"],
      environment: "node",
      testTimeout: 20_000,
      typecheck: { enabled: true, include: ["test/**/*.test-d.ts"], tsconfig: "./tsconfig.test.json" },
    },
  };
}
