import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { answerParent } from "../answering.js";
import { driveSelf } from "../self-load.js";

const client = new Client({ name: "load", version: "1.0.0" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
const connected = client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${process.argv[2]}/mcp`)));

async function call(): Promise<void> {
  const result = await client.callTool({ name: "greet", arguments: { name: "Ada" } });
  const structured = result.structuredContent as { message?: unknown } | undefined; // compared in the next line
  if (structured?.message !== "Hello, Ada!") throw new Error("Expected the greeting");
}

answerParent({
  async run(ms, inFlight) {
    await connected;
    return driveSelf(call, ms, inFlight);
  },
});
