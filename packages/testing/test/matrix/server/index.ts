import { MCPServer } from "@mortise/server";
import { addAskers } from "./askers.js";
import { addExtension } from "./extension.js";
import { addPrompts } from "./prompts.js";
import { addResources } from "./resources.js";
import { addTools } from "./tools.js";
import { addWorkers } from "./workers.js";

/** The one server that every client meets, and what happened in it. */
export interface Stage {
  readonly server: MCPServer;
  /** How often something ran, by its name. */
  readonly runs: Map<string, number>;
  /** What the server's owner was told of. */
  readonly failures: unknown[];
  /** Counts one more run. */
  count(name: string): void;
  /** Resolves once something has run. */
  whenRun(name: string): Promise<void>;
}

/** Makes it. */
export function createStage(replay: "modern" | "always"): Stage {
  const failures: unknown[] = [];
  const runs = new Map<string, number>();
  const watchers = new Map<string, (() => void)[]>();
  const server = new MCPServer({
    name: "stage",
    version: "1.0.0",
    title: "The stage",
    description: "Has one of everything",
    websiteUrl: "https://example.com/",
    icons: [{ src: "https://example.com/icon.png" }],
    instructions: "Try everything",
    pageSize: 7,
    replay,
    onError: (error) => failures.push(error),
    onWarning: () => undefined,
  });
  const stage: Stage = {
    server,
    runs,
    failures,
    count(name) {
      runs.set(name, (runs.get(name) ?? 0) + 1);
      for (const wake of watchers.get(name)?.splice(0) ?? []) wake();
    },
    whenRun(name) {
      if (runs.has(name)) return Promise.resolve();
      return new Promise((resolve) => watchers.set(name, [...(watchers.get(name) ?? []), resolve]));
    },
  };
  for (const add of [addTools, addWorkers, addAskers, addResources, addPrompts, addExtension]) add(stage);
  return stage;
}
