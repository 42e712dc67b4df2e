// Starts a server process, mostly one that heeds nothing, says its process id once it runs, and then ends in the way it is told to.
import { spawnServer } from "../../src/client.js";

const MODES: Readonly<Record<string, string>> = { "be killed": "echo", "be terminated gently": "polite" };
const [server, how] = process.argv.slice(2);
if (how === "handle a signal itself") process.once("SIGTERM", () => setTimeout(() => process.exit(7), 100));
const child = spawnServer({
  command: process.execPath,
  args: [String(server), MODES[String(how)] ?? "stubborn"],
  stderr: "inherit",
});
await child.start({
  onMessage() {
    process.stdout.write(`${child.pid}\n`, () => {
      if (how === "exit") process.exit(0);
      if (how === "throw") throw new Error("on purpose");
    });
  },
  onClose: () => undefined,
  onError: () => undefined,
});
await child.send({ jsonrpc: "2.0", id: 1, method: "ask", params: {} });
