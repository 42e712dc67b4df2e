import { Agent, request } from "node:http";
import { answerParent } from "../answering.js";
import { createRoutingHeaders } from "../requests.js";
import { driveSelf } from "../self-load.js";

/** A bare node:http client: builds the message, stringifies it, sends it over a kept connection, parses the answer. */
const port = Number(process.argv[2]);
const agent = new Agent({ keepAlive: true });
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

function call(): Promise<void> {
  lastId += 1;
  const id = lastId;
  const params = { name: "greet", arguments: { name: "Ada" }, _meta: META };
  const body = JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
  return new Promise((resolve, reject) => {
    const options = { agent, port, host: "127.0.0.1", path: "/mcp", method: "POST" };
    const req = request({ ...options, headers: { ...headers, "Content-Length": Buffer.byteLength(body) } }, (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk: Buffer) => chunks.push(chunk));
      res.on("end", () => {
        const answer = JSON.parse(Buffer.concat(chunks).toString("utf8"));
        if (answer.id === id && answer.result.structuredContent.message === "Hello, Ada!") resolve();
        else reject(new Error("Expected the greeting"));
      });
    });
    req.on("error", reject);
    req.end(body);
  });
}

answerParent({ run: (ms, inFlight) => driveSelf(call, ms, inFlight) });
