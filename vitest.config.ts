import { defineConfig } from "vitest/config";

export default defineConfig({
  // Most of these tests wait for processes and sockets: a core to spare for the rest, as is the default, would lie idle.
  test: { projects: ["{packages,apps}/*/vitest.config.ts"], maxWorkers: "100%" },
});
