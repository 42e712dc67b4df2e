// An Express application with an MCP endpoint: node dist/server.js. PORT moves it; Ctrl-C ends it.
import { createApp } from "./app.js";

const port = Number(process.env.PORT || 3000);

// Express binds every address of the machine unless it is told one.
const listener = createApp().listen(port, "127.0.0.1", (error) => {
  if (error === undefined) {
    console.log(`Serving on http://127.0.0.1:${port}/mcp`);
  } else {
    console.error(error.message);
    process.exitCode = 1;
  }
});

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => listener.close());
