import { type Feature, refusalOf, textOf } from "../feature.js";
import { isModern, isSince, statusOf } from "../scene.js";
import { listAll } from "./list-all.js";

const FAILED = { content: [{ type: "text", text: "no luck" }], isError: true };

/** Listing and calling tools. */
export const TOOLS: readonly Feature[] = [
  {
    name: "every tool is on one page",
    async run({ client }) {
      const { pages, items } = await listAll(client, "tools/list", "tools");
      const names = items.map(({ name }) => name);
      return { pages, unique: new Set(names).size, first: names[0] };
    },
    seen: () => ({ pages: 5, unique: 29, first: "text" }),
  },
  {
    name: "a tool is listed with the members that its revision knows",
    run: async ({ client }) => (await client.ask("tools/list")).result.tools[0],
    seen: (scene) => ({
      name: "text",
      description: "Gives text",
      inputSchema: { type: "object", additionalProperties: false },
      ...(isSince(scene, "2025-03-26") ? { annotations: { readOnlyHint: true } } : {}),
      ...(isSince(scene, "2025-06-18") ? { title: "Text", _meta: { "com.example/kind": "text" } } : {}),
      ...(isSince(scene, "2025-11-25") ? { icons: [{ src: "https://example.com/text.png" }] } : {}),
    }),
  },
  {
    name: "output that is no object is listed as one where only objects are known",
    async run({ client }) {
      const { items } = await listAll(client, "tools/list", "tools");
      return items.find(({ name }) => name === "array")?.outputSchema;
    },
    seen(scene) {
      const numbers = { type: "array", items: { type: "number" } };
      if (isModern(scene)) return numbers;
      if (!isSince(scene, "2025-06-18")) return undefined;
      return { type: "object", properties: { result: numbers }, required: ["result"] };
    },
  },
  {
    name: "a tool is called without arguments",
    run: async ({ client }) => textOf(await client.call("text")),
    seen: () => "some text",
  },
  {
    name: "a handler's error is a result that the model reads",
    async run({ client, stage }) {
      const { result } = await client.call("fails");
      return { content: result.content, isError: result.isError, told: stage.failures.length };
    },
    seen: () => ({ ...FAILED, told: 1 }),
  },
  {
    name: "arguments that break the schema are a result that names the place",
    async run({ client, stage }) {
      const { result } = await client.call("typed", { times: "often" });
      return { isError: result.isError, named: result.content[0].text.includes("times"), ran: stage.runs.has("typed") };
    },
    seen: () => ({ isError: true, named: true, ran: false }),
  },
  {
    name: "a tool that nobody knows is an error",
    run: async ({ client }) => refusalOf(await client.call("toString")),
    seen: (scene) => ({ status: statusOf(scene, 200), code: -32602 }),
  },
  {
    name: "an error that a handler chose is sent as it is",
    async run({ client }) {
      const { status, error } = await client.call("refuses");
      return { status, error };
    },
    seen: (scene) => ({
      status: statusOf(scene, 200),
      error: { code: -32000, message: "Busy", data: { retry: 1 } },
    }),
  },
  {
    name: "an error number that a revision reserves is not sent there",
    run: async ({ client }) => refusalOf(await client.call("misnumbers")),
    seen: (scene) => ({ status: statusOf(scene, 200), code: isModern(scene) ? -32603 : -32050 }),
  },
  {
    name: "output that breaks its schema is the server's own fault",
    async run({ client, stage }) {
      const { result } = await client.call("wrong output");
      return { isError: result.isError, told: stage.failures.length };
    },
    seen: () => ({ isError: true, told: 1 }),
  },
  {
    name: "an argument that headers repeat is called with its header",
    async run({ client }) {
      const headers = { "mcp-param-region": "north" };
      return textOf(await client.call("headed", { region: "north" }, { headers }));
    },
    seen: () => "region north",
  },
  {
    name: "an argument that headers repeat is refused without its header, where there are headers and the revision has the rule",
    async run({ client }) {
      const { status, error } = await client.call("headed", { region: "north" });
      return { status, code: error?.code };
    },
    seen: (scene) =>
      isModern(scene) && scene.carries.http
        ? { status: 400, code: -32020 }
        : { status: statusOf(scene, 200), code: undefined },
  },
];
