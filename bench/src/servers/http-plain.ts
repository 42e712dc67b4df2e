import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { answerParent } from "../answering.js";
import { serveOnLoopback } from "../loopback.js";
import { createPlainAnswers } from "../plain-answers.js";
import { createTools, readScenario } from "../scenario.js";

/** Plain code: reads the body, parses it, builds the same result, stringifies it, sets Content-Length. No checks at all. */
const answers = createPlainAnswers(createTools(readScenario()));

function listener(req: IncomingMessage, res: ServerResponse): void {
  const chunks: Buffer[] = [];
  req.on("data", (chunk: Buffer) => chunks.push(chunk));
  req.on("end", () => {
    const message = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    if (message.method === "subscriptions/listen") return void listen(message, res);
    const streams = message.params?._meta?.progressToken !== undefined;
    if (streams) return void stream(message, res);
    const text = JSON.stringify(answers.answer(message));
    res.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) });
    res.end(text);
  });
}

/** Keeps what a notice would need, and every stream open. */
const listening = new Set<{ readonly res: ServerResponse; readonly id: unknown }>();

function listen(message: Parameters<typeof answers.acknowledge>[0], res: ServerResponse): void {
  const entry = { res, id: message.id };
  listening.add(entry);
  res.on("close", () => listening.delete(entry));
  res.writeHead(200, { "Content-Type": "text/event-stream" });
  res.write(`data: ${JSON.stringify(answers.acknowledge(message))}\n\n`);
}

setInterval(() => {
  for (const { res } of listening) res.write(":\n\n");
}, 15_000);

async function stream(message: Parameters<typeof answers.answerStreaming>[0], res: ServerResponse): Promise<void> {
  res.writeHead(200, { "Content-Type": "text/event-stream" });
  const last = await answers.answerStreaming(message, (notice) => res.write(`data: ${JSON.stringify(notice)}\n\n`));
  res.end(`data: ${JSON.stringify(last)}\n\n`);
}

const port = serveOnLoopback(createServer(listener));
answerParent({ port: () => port });
