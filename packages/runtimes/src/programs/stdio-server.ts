// A server on its standard streams, for runtimes that start processes.
import { createInterface } from "node:readline";
import { createSmokeServer } from "../smoke-server.js";

const server = createSmokeServer();
for await (const line of createInterface({ input: process.stdin })) {
  const response = await server.handle(JSON.parse(line), { transport: "stdio" });
  if (response !== null) process.stdout.write(`${JSON.stringify(response)}\n`);
}
