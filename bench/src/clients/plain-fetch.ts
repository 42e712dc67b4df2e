import { answerParent } from "../answering.js";
import { createRoutingHeaders } from "../requests.js";
import { driveSelf } from "../self-load.js";

/** A bare client on the global fetch: builds the message, stringifies it, sends it, parses the answer. */
const url = `http://127.0.0.1:${process.argv[2]}/mcp`;
const headers = {
  "Content-Type": "application/json",
  Accept: "application/json, text/event-stream",
  ...Object.fromEntries(createRoutingHeaders("greet", "modern")),
};
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "load", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
let lastId = 0;

async function call(): Promise<void> {
  lastId += 1;
  const id = lastId;
  const params = { name: "greet", arguments: { name: "Ada" }, _meta: META };
  const body = JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
  const response = await fetch(url, { method: "POST", headers, body });
  const answer = JSON.parse(await response.text());
  if (answer.id !== id || answer.result.structuredContent.message !== "Hello, Ada!") {
    throw new Error("Expected the greeting");
  }
}

answerParent({ run: (ms, inFlight) => driveSelf(call, ms, inFlight) });
