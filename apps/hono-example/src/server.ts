// A Hono application with an MCP endpoint, on Node: node dist/server.js. PORT moves it; Ctrl-C ends it.
import { serve } from "@hono/node-server";
import { createApp } from "./app.js";

const port = Number(process.env.PORT || 3000);

const listener = serve({ fetch: createApp().fetch, port, hostname: "127.0.0.1" }, () => {
  console.log(`Serving on http://127.0.0.1:${port}/mcp`);
});
listener.once("error", (error) => {
  console.error(error.message);
  process.exitCode = 1;
});

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => listener.close());
