import { PassThrough } from "node:stream";
import { stdio } from "@mortise/stdio";
import type { Message, OpenLine } from "../line.js";

/** Lines of text on two streams. */
export const openStdioLine: OpenLine = async ({ server, hearing }) => {
  const input = new PassThrough();
  const output = new PassThrough();
  let text = "";
  output.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (text + chunk).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines)
      for (const message of [JSON.parse(line) as Message | Message[]].flat()) hearing.message(message); // a test looks at it
  });
  await server.listen(stdio({ input, output }));
  return {
    async send(message) {
      input.write(`${JSON.stringify(message)}\n`);
      return undefined;
    },
    close: async () => void input.end(),
  };
};
