import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { WORKER } from "../build-programs.js";
import type { Outcome } from "../smoke/check.js";
import type { Runtime } from "./runtime.js";

const ENTRY = "workerd.js";

/** The runtime of Cloudflare Workers, in which no code may be made from text. */
export const WORKERD: Runtime = {
  name: "workerd",
  processes: "none",
  async runSuite(targets) {
    const chunks = readdirSync(WORKER).filter((file) => file !== ENTRY);
    const miniflare = new Miniflare({
      compatibilityDate: "2026-04-01",
      modules: [ENTRY, ...chunks].map((file) => ({
        type: "ESModule",
        path: join(WORKER, file),
        contents: readFileSync(join(WORKER, file), "utf8"),
      })),
      modulesRoot: WORKER,
    });
    try {
      const response = await miniflare.dispatchFetch("http://worker.example/", {
        method: "POST",
        body: JSON.stringify(targets),
      });
      if (!response.ok) throw new Error(`workerd answered ${response.status}: ${await response.text()}`);
      return (await response.json()) as Outcome[]; // the program answers with nothing else
    } finally {
      await miniflare.dispose();
    }
  },
};
