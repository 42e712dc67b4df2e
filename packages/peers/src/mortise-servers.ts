import type { PeerServer } from "./peer-server.js";

/** Mortise's own servers, with the fixture tools. */
export const MORTISE_SERVERS: readonly PeerServer[] = [
  {
    name: "Mortise server",
    transport: "stdio",
    program: "mortise-stdio",
    eras: ["modern", "legacy"],
    unknownTool: -32602,
    thrown: "result",
    cancels: ["modern", "legacy"],
  },
  {
    name: "Mortise server, listener",
    transport: "http",
    program: "mortise-http",
    eras: ["modern", "legacy"],
    unknownTool: -32602,
    thrown: "result",
    cancels: ["modern"],
  },
  {
    name: "Mortise server, in a node:http server",
    transport: "http",
    program: "mortise-handler-http",
    eras: ["modern", "legacy"],
    unknownTool: -32602,
    thrown: "result",
    cancels: ["modern"],
  },
];
