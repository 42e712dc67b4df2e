import { createExampleServer } from "@mortise/example-tools";
import { stdio } from "@mortise/stdio";

// The same server that the HTTP examples serve. It ends when its input does.
await createExampleServer().listen(stdio());
