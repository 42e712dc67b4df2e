import { expect, test } from "vitest";
import { createFakePipe } from "./fake-pipe.js";
import { initializeResult } from "./legacy-server.js";
import { DISCOVERED, ECHO_TOOL } from "./modern-server.js";
import { collectProblems, failureOf, openClient } from "./open-client.js";

test("a server that only begins to read after the probe's time, and answers slowly then, is modern all the same", async () => {
  const { problems, onError } = collectProblems();
  const pipe = createFakePipe(({ message, pipe, result, error }) => {
    if (message.method === "initialize") error(-32602, "speak 2026-07-28");
    else if (message.method === "tools/list") result({ tools: [ECHO_TOOL] });
    else if (message.method === "server/discover")
      setTimeout(() => pipe.emit({ jsonrpc: "2.0", id: message.id, result: DISCOVERED }), 600);
  });
  const client = openClient({ transport: pipe, probeTimeout: 40, onError });

  const server = await client.connect();

  expect(server.era).toBe("modern");
  expect(pipe.methods()).toEqual(["server/discover", "initialize", "tools/list"]);
  expect(problems).toEqual([]);
});

test.each(["2099-01-01", undefined])(
  "a handshake that agrees on %s ends the connection, and nothing more is sent",
  async (protocolVersion) => {
    const pipe = createFakePipe(({ message, result, error }) => {
      if (message.method === "initialize") result({ ...initializeResult(), protocolVersion });
      else error(-32601, "Method not found");
    });
    const client = openClient({ transport: pipe });

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "unsupported_version" });
    expect(pipe.methods()).toEqual(["server/discover", "initialize"]);
    expect(pipe.closes).toBe(1);
  },
);
