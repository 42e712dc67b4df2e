import type { Stage } from "./index.js";
import { BLOCKS } from "./tools.js";

/** Prompts. */
export function addPrompts({ server }: Stage): void {
  server.prompt(
    "greet",
    {
      title: "Greet",
      description: "Greets someone",
      icons: [{ src: "https://example.com/greet.png" }],
      input: [
        { name: "name", title: "Name", description: "Whom", required: true },
        { name: "language", description: "How" },
      ],
      complete: {
        name: (typed) => ["Ada", "Alan", "Grace"].filter((name) => name.startsWith(typed)),
        language: (_, { arguments: settled }) => (settled.name === undefined ? ["en"] : [`en for ${settled.name}`]),
      },
    },
    ({ name }) => `Hello, ${name}`,
  );
  server.prompt("blocks", {}, () => ({
    description: "All of them",
    messages: BLOCKS.map((content) => ({ role: "assistant", content })),
  }));
  server.prompt("asked", {}, async (_, { listRoots }) => JSON.stringify(await listRoots()));
}
