import type { Socket } from "node:net";

/** Calls back with every JSON value that comes on a line of its own. */
export function readLines(socket: Socket, onValue: (value: unknown) => void): void {
  let rest = "";
  socket.setEncoding("utf8");
  socket.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onValue(JSON.parse(line));
  });
}
