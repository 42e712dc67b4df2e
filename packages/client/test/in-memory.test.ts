import { connectInMemory, type InMemoryServer } from "@mortise/client";
import { describe, expect, test } from "vitest";
import { DISCOVERED, ECHO_TOOL } from "./modern-server.js";
import { openClient } from "./open-client.js";

interface Request {
  readonly id?: number;
  readonly method: string;
}

function createServer(received: Request[]): InMemoryServer & { readonly closes: number; end(): void } {
  const server = {
    closes: 0,
    end: (): void => undefined,
    connectPipe(pipe: { write(text: string): void; onClose(): void }) {
      server.end = () => pipe.onClose();
      return {
        receive(message: unknown) {
          const request = message as Request;
          received.push(request);
          if (request.id === undefined || request.method === "slow") return;
          const results: Record<string, unknown> = {
            "server/discover": DISCOVERED,
            "tools/list": { tools: [ECHO_TOOL] },
            "tools/call": { content: [{ type: "text", text: "ok" }] },
          };
          pipe.write(JSON.stringify({ jsonrpc: "2.0", id: request.id, result: results[request.method] }));
        },
        close() {
          server.closes += 1;
        },
      };
    },
  };
  return server;
}

describe("a server in the same process", () => {
  test("is called like any other, also when it answers at once", async () => {
    const server = createServer([]);
    const client = openClient({ transport: connectInMemory(server) });

    const described = await client.connect();
    const { text } = await client.callTool("echo");
    await client.close();

    expect(described.era).toBe("modern");
    expect(text).toBe("ok");
    expect(server.closes).toBe(1);
  });

  test("is left again when that is asked for before it is there", async () => {
    const server = createServer([]);
    const transport = connectInMemory(server);

    const started = transport.start({ onMessage() {}, onClose() {}, onError() {} });
    await transport.close();
    await started;

    expect(server.closes).toBe(1);
  });

  test("does not see the caller's objects", async () => {
    const received: Request[] = [];
    const args = { list: [1] };
    const client = openClient({ transport: connectInMemory(createServer(received)) });

    await client.callTool("echo", args);

    const sent = received.at(-1) as unknown as { params: { arguments: typeof args } };
    expect(sent.params.arguments).toEqual(args);
    expect(sent.params.arguments.list).not.toBe(args.list);
  });

  test("fails open calls at once when the server closes", async () => {
    const server = createServer([]);
    const client = openClient({ transport: connectInMemory(server) });
    await client.connect();

    const call = client.request("slow");
    await Promise.resolve();
    server.end();

    await expect(call).rejects.toMatchObject({ code: "connection_closed" });
  });
});
