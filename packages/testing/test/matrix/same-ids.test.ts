import type { HandlerOptions } from "@mortise/http";
import { MCPServer } from "@mortise/server";
import { expect, test } from "vitest";
import { Client } from "./client.js";
import { EVERYTHING } from "./feature.js";
import type { OpenLine } from "./line.js";
import { openFetchLine, openSocketLine } from "./lines/http.js";
import { openHttpSseLine } from "./lines/http-sse.js";
import { openStdioLine } from "./lines/stdio.js";
import { type Carries, isModern, type RevisionId } from "./scene.js";

const CALLERS = 25;
const ROUNDS = 4;
const NAME = { type: "object", properties: { name: { type: "string" } } } as const;
const SESSIONS: HandlerOptions = { legacy: { sessions: "memory" } };
const MINTED: HandlerOptions = { legacy: { mintSessionId: true } };
const CARRIES: Carries = {
  http: true,
  asks: true,
  announces: false,
  watches: false,
  remembers: false,
  cancels: true,
  resumes: false,
  batches: false,
};

interface Row {
  readonly name: string;
  readonly revision: RevisionId;
  readonly open: OpenLine;
  readonly handler?: HandlerOptions;
}

const ROWS: readonly Row[] = [
  { name: "fetch handlers, modern", revision: "2026-07-28", open: openFetchLine },
  { name: "fetch handlers, in sessions", revision: "2025-11-25", open: openFetchLine, handler: SESSIONS },
  { name: "fetch handlers, with minted ids", revision: "2025-11-25", open: openFetchLine, handler: MINTED },
  { name: "sockets, modern", revision: "2026-07-28", open: openSocketLine },
  { name: "sockets, in sessions", revision: "2025-06-18", open: openSocketLine, handler: SESSIONS },
  { name: "HTTP+SSE", revision: "2025-06-18", open: openHttpSseLine },
  { name: "pipes", revision: "2026-07-28", open: openStdioLine },
];

/** A server whose tool tells its caller's name in everything it sends. */
function createServer(): MCPServer {
  const server = new MCPServer({ name: "same ids", version: "1.0.0", onWarning: () => undefined });
  server.tool("who", { input: { type: "object" } }, async (args, { elicit, log, progress }) => {
    const { caller } = args as { caller: string }; // as it is called below
    await progress(1, 1, caller);
    await log("warning", caller);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
    const answer = await elicit({ message: caller, schema: NAME });
    return `${caller} ${answer.action === "accept" ? answer.content.name : answer.action}`;
  });
  return server;
}

test.each(ROWS)("callers that use the same ids on $name get what is theirs, and nothing else", async (row) => {
  const { revision, open, handler = {} } = row;
  const server = createServer();
  const callers = await Promise.all(
    Array.from({ length: CALLERS }, async (_, index) => {
      const caller = `caller ${index}`;
      const client = new Client({ revision, carries: CARRIES, replay: "modern" }, EVERYTHING);
      client.respond = ({ params }) => ({ action: "accept", content: { name: `${params.message}!` } });
      await client.open(await open({ server, revision, hearing: client, handler }));
      return { caller, client };
    }),
  );

  const seen = await Promise.all(
    callers.map(async ({ caller, client }) => {
      const meta = {
        progressToken: 1,
        ...(isModern(client.scene) ? { "io.modelcontextprotocol/logLevel": "debug" } : {}),
      };
      const texts: unknown[] = [];
      for (let round = 0; round < ROUNDS; round += 1)
        texts.push((await client.call("who", { caller }, { meta })).result?.content[0].text);
      const told = client.notices.map(({ params }) => params.message ?? params.data);
      const asked = client.asked.map(({ params }) => params.message);
      return { texts: new Set(texts), heard: new Set([...told, ...asked]), asked: asked.length, told: told.length };
    }),
  );
  await Promise.all(callers.map(({ client }) => client.line.close()));
  await server.close();

  for (const [index, { texts, heard, asked, told }] of seen.entries()) {
    const caller = `caller ${index}`;
    expect({ texts, heard }).toEqual({ texts: new Set([`${caller} ${caller}!`]), heard: new Set([caller]) });
    expect([asked, told]).toEqual([ROUNDS, 2 * ROUNDS]);
  }
});
