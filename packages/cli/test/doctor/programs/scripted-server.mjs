// A server on standard streams that behaves as its first argument says, speaking the legacy revisions only.
import { createInterface } from "node:readline";

const RESULTS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "scripted\u001b[31m", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: [{ name: "echo", inputSchema: { type: "object" } }] }),
};

let refusal = "Method not found";
const [mode] = process.argv.slice(2);
const MODES = {
  plain: () => serve(),
  noisy: () => {
    console.log("Server started");
    console.log(JSON.stringify({ level: 30, msg: "listening" }));
    serve();
  },
  "noisy and silent": () => {
    console.log("Server started");
    process.stdin.resume();
  },
  "needs a variable": () => {
    if (process.env.FAKE_API_KEY === undefined) fail("FAKE_API_KEY is not set, and neither is OTHER_TOKEN");
    else serve();
  },
  "tells its variable": () => fail(`bad key ${process.env.FAKE_API_KEY}`),
  "prints its variable": () => {
    console.log(`Using ${process.env.FAKE_API_KEY}`);
    serve();
  },
  "refuses with its variable": () => {
    RESULTS.initialize = undefined;
    refusal = `Unknown key ${process.env.FAKE_API_KEY}`;
    serve();
  },
  "is called like its variable": () => {
    RESULTS["tools/list"] = () => ({ tools: [{ name: process.env.FAKE_API_KEY, inputSchema: { type: "object" } }] });
    serve();
  },
  "ends at a method it does not know": () =>
    serve((method) => {
      if (method === "server/discover") process.exit(1);
    }),
  "does not end": () => {
    setInterval(() => undefined, 1_000);
    serve();
  },
  "ends at once": () => undefined,
};
MODES[mode]();

function serve(onMethod = () => undefined) {
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    onMethod(method);
    if (id === undefined) return;
    const result = RESULTS[method]?.(params);
    const error = { code: -32601, message: refusal };
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) })}\n`);
  });
}

function fail(message) {
  process.stderr.write(`Error: ${message}\n`);
  process.exit(1);
}
