import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { http } from "@mortise/node";
import { MCPServer } from "@mortise/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";

const server = new MCPServer({ name: "prompts", version: "1.0.0", pageSize: 1 });
server.prompt("greet", { description: "Greets", input: [{ name: "name", required: true }] }, ({ name }) => [
  `Hello, ${name}`,
  { role: "assistant", content: { type: "image", data: "AA==", mimeType: "image/png" } },
]);
server.prompt(
  "repeat",
  {
    input: z.object({ times: z.coerce.number(), word: z.string() }),
    complete: { word: (typed, ctx) => [`${typed}${ctx.arguments.times}`] },
  },
  ({ times, word }) => ({ description: "Repeats", messages: [word.repeat(times)] }),
);
server.resource("notes://{id}", { complete: { id: () => ["1", "2"] } }, ({ params }) => `note ${params.id}`);

let url: URL;
beforeAll(async () => {
  url = new URL((await server.listen(http({ port: 0, path: "/mcp" }))).url);
});
afterAll(() => server.close());

/** What both official clients can do with prompts. */
type PromptClient = Pick<Client, "listPrompts" | "getPrompt" | "complete" | "close">;

const CLIENTS: readonly { readonly name: string; connect(): Promise<PromptClient> }[] = [
  {
    name: "official SDK 1 client",
    async connect() {
      const client = new Client({ name: "peer", version: "1.0.0" });
      await client.connect(new StreamableHTTPClientTransport(url) as Transport); // its own types disagree under exactOptionalPropertyTypes
      return client;
    },
  },
  ...(["legacy", "auto"] as const).map((mode) => ({
    name: `official client, ${mode}`,
    async connect() {
      const client = new ModernClient({ name: "peer", version: "1.0.0" }, { versionNegotiation: { mode } });
      await client.connect(new ModernTransport(url));
      return client as unknown as PromptClient; // the results have the same members
    },
  })),
];

describe.each(CLIENTS)("$name", ({ connect }) => {
  async function use<Result>(run: (client: PromptClient) => Promise<Result>): Promise<Result> {
    const client = await connect();
    try {
      return await run(client);
    } finally {
      await client.close();
    }
  }

  test("lists prompts", async () => {
    const first = await use((client) => client.listPrompts());

    expect(first.prompts[0]).toMatchObject({
      name: "greet",
      description: "Greets",
      arguments: [{ name: "name", required: true }],
    });
  });

  test("gets prompts", async () => {
    const greeting = await use((client) => client.getPrompt({ name: "greet", arguments: { name: "Ada" } }));
    const repeated = await use((client) => client.getPrompt({ name: "repeat", arguments: { times: "2", word: "ha" } }));

    expect(greeting.messages).toMatchObject([
      { role: "user", content: { type: "text", text: "Hello, Ada" } },
      { role: "assistant", content: { type: "image", data: "AA==" } },
    ]);
    expect(repeated).toMatchObject({ description: "Repeats", messages: [{ content: { text: "haha" } }] });
  });

  test("learns which argument is wrong", async () => {
    const failing = use((client) => client.getPrompt({ name: "greet", arguments: {} }));

    await expect(failing).rejects.toMatchObject({ code: -32602, message: expect.stringContaining("name") });
  });

  test("completes arguments", async () => {
    const word = await use((client) =>
      client.complete({
        ref: { type: "ref/prompt", name: "repeat" },
        argument: { name: "word", value: "h" },
        context: { arguments: { times: "3" } },
      }),
    );
    const id = await use((client) =>
      client.complete({ ref: { type: "ref/resource", uri: "notes://{id}" }, argument: { name: "id", value: "" } }),
    );

    expect(word.completion).toEqual({ values: ["h3"], total: 1, hasMore: false });
    expect(id.completion.values).toEqual(["1", "2"]);
  });
});
