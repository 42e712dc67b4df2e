import { MCPClient } from "@mortise/client";
import { answerParent } from "../answering.js";
import { driveSelf } from "../self-load.js";

const client = new MCPClient({
  url: `http://127.0.0.1:${process.argv[2]}/mcp`,
  era: "modern",
  fetch: globalThis.fetch,
});
const connected = client.connect();

async function call(): Promise<void> {
  const result = await client.callTool("greet", { name: "Ada" });
  const structured = result.structuredContent as { message?: unknown } | undefined; // compared in the next line
  if (structured?.message !== "Hello, Ada!") throw new Error("Expected the greeting");
}

answerParent({
  async run(ms, inFlight) {
    await connected;
    return driveSelf(call, ms, inFlight);
  },
});
