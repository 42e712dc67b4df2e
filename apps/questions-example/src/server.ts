// The server on stdio, for a client that shows questions to its user: node dist/server.js. It ends when its input does.
import { stdio } from "@mortise/stdio";
import { createTripServer } from "./trip-server.js";

// Standard output belongs to the protocol, so that warnings go to standard error.
await createTripServer({ onWarning: console.error }).server.listen(stdio());
