import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach } from "vitest";

/** A provider for tests, which speaks what Ollama and many others do. */
export interface ModelServer {
  /** Where it is, for `OLLAMA_BASE_URL` and its like. */
  readonly url: string;
  /** What it was asked, the headers and the bodies. */
  readonly asked: { readonly headers: IncomingMessage["headers"]; readonly body: unknown }[];
  /** How many of its answers were given up by who asked. */
  readonly abandoned: () => number;
  /** Resolves with the next question. */
  nextQuestion(): Promise<void>;
}

const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Starts a provider that answers everything with a text, or keeps those who ask waiting without one. */
export async function startModelServer(answer: string | undefined): Promise<ModelServer> {
  const asked: ModelServer["asked"] = [];
  const waiting: (() => void)[] = [];
  let abandoned = 0;
  const server = createServer(async (request, response) => {
    asked.push({ headers: request.headers, body: JSON.parse(await text(request)) });
    response.on("close", () => {
      if (!response.writableFinished) abandoned += 1;
    });
    for (const tell of waiting.splice(0)) tell();
    if (answer === undefined) return;
    const message = { role: "assistant", content: answer };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    response.setHeader("Content-Type", "application/json");
    response.end(
      JSON.stringify({
        id: "1",
        created: 1,
        model: "m",
        choices: [{ index: 0, message, finish_reason: "stop" }],
        usage,
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo; // a listener on a port has an address of this form
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    abandoned: () => abandoned,
    nextQuestion: () => new Promise((resolve) => waiting.push(resolve)),
  };
}
