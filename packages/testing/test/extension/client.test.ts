import type { Server } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connectInMemory, type JsonObject, MCPClient, type PipeOptions } from "@mortise/client";
import { createNodeHttpHandler } from "@mortise/node";
import { MCPServer } from "@mortise/server";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addJobs, JOBS } from "./jobs-extension.js";

interface Way {
  open(server: MCPServer): Promise<{ readonly url: string } | Pick<PipeOptions, "transport">>;
  close(): void;
}

let listener: Server | undefined;
const WAYS: Readonly<Record<string, Way>> = {
  "over HTTP": {
    async open(server) {
      const opened = createServer(createNodeHttpHandler(server));
      listener = opened;
      await new Promise<void>((resolve) => opened.listen(0, "127.0.0.1", resolve));
      return { url: `http://127.0.0.1:${(opened.address() as AddressInfo).port}/mcp` };
    },
    close() {
      listener?.closeAllConnections();
      listener?.close();
    },
  },
  "in memory": {
    open: async (server) => ({ transport: connectInMemory(server) }),
    close: () => undefined,
  },
};

describe.each(Object.entries(WAYS))("an extension at both ends, %s", (_, way) => {
  let server: MCPServer;
  let client: MCPClient;

  beforeEach(async () => {
    server = new MCPServer({ name: "test", version: "1", state: { keys: [{ id: "k", key: new Uint8Array(32) }] } });
    const input = { type: "object" } as const;
    for (const name of ["quick", "jobs-only", "slow"]) server.tool(name, { input }, () => `${name} is done`);
    server.tool("ask", { input }, async (_, context) => {
      const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;
      const answer = await context.elicit({ message: "Who?", schema, key: "who" });
      return answer.action === "accept" ? `Hello, ${answer.content.name}!` : answer.action;
    });
    addJobs(server);
    client = new MCPClient({ ...(await way.open(server)), capabilities: { elicitation: {} } });
  });
  afterEach(async () => {
    await client.close();
    await server.close();
    way.close();
  });

  /** Asks for a job until it has ended. */
  async function finish(jobId: unknown, signal: AbortSignal): Promise<JsonObject> {
    for (;;) {
      const job = await client.request("jobs/get", { jobId }, { signal });
      if (job.status === "done") return job.result as JsonObject;
      if (job.status === "asking") {
        const inputResponses = { who: { action: "accept", content: { name: "Zoë" } } };
        await client.request("jobs/answer", { jobId, inputResponses }, { signal });
      } else await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** The client's end of the extension. */
  function addClientEnd(): void {
    client.extend({
      id: JOBS,
      methods: { "jobs/get": { mirrors: "jobId" }, "jobs/answer": { mirrors: "jobId" } },
      resultTypes: { job: ({ jobId }, { signal }) => finish(jobId, signal) },
    });
  }

  test("lets calls of tools come back when their job is done", async () => {
    addClientEnd();

    const texts = (await Promise.all([client.callTool("slow"), client.callTool("quick")])).map(({ text }) => text);

    expect(texts).toEqual(["slow is done", "quick is done"]);
  });

  test("answers what a job asks", async () => {
    addClientEnd();

    expect((await client.callTool("ask")).text).toBe("Hello, Zoë!");
  });

  test("lets a tool run that demands it", async () => {
    addClientEnd();

    expect((await client.callTool("jobs-only")).text).toBe("jobs-only is done");
  });

  test("gives the job itself where the client only names its type", async () => {
    client.extend({ id: JOBS, resultTypes: ["job"] });

    expect(await client.callTool("slow")).toMatchObject({ resultType: "job", jobId: expect.any(String) });
  });

  test("calls methods that tell what was declared", async () => {
    client.extend({ id: JOBS, settings: { depth: 2 } });

    expect(await client.request("jobs/echo", { a: 1 })).toMatchObject({ rest: { a: 1 }, declared: { depth: 2 } });
  });

  test("is described in the same words", async () => {
    const common = { id: "com.example/same", settings: { a: 1 }, resultTypes: ["same"] } as const;
    const methods = { "same/get": { mirrors: "name" } };

    server.extend({ ...common, methods: { "same/get": { ...methods["same/get"], run: (params) => ({ params }) } } });
    client.extend({ ...common, methods });

    expect(await client.request("same/get", { name: "x" })).toMatchObject({ params: { name: "x" } });
  });

  test("is not there for clients that do not know it", async () => {
    await expect(client.request("jobs/echo")).rejects.toMatchObject({ code: -32021 });
    await expect(client.callTool("jobs-only")).rejects.toMatchObject({ code: -32021 });
    expect((await client.callTool("slow")).text).toBe("slow is done");
  });
});
