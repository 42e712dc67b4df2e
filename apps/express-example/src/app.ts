import { createExampleServer } from "@mortise/example-tools";
import { createNodeHttpHandler } from "@mortise/node";
import express, { type Express } from "express";

/**
 * Builds an Express application with MCP endpoints beside ordinary routes.
 *
 * The handler is middleware: it answers requests for its own path, refusals included, and leaves every other request to
 * what comes after it, unread.
 */
export function createApp(): Express {
  const server = createExampleServer();
  const app = express();

  // Best before body parsers: the handler then reads the body itself, under its own limits.
  app.use(createNodeHttpHandler(server, { path: "/mcp" }));

  app.use(express.json());

  app.get("/", (_request, response) => {
    response.json({ endpoints: ["/mcp", "/parsed/mcp"] });
  });
  app.post("/notes", (request, response) => {
    response.status(201).json({ saved: request.body });
  });

  // Works behind a parser, too: what it decoded is taken from request.body. The parser's limits count then.
  app.use(createNodeHttpHandler(server, { path: "/parsed/mcp" }));

  return app;
}
