import { JsonRpcError } from "@mortise/server";
import type { Stage } from "./index.js";

/** Every kind of block, as a handler returns them. */
export const BLOCKS = [
  { type: "text", text: "plain" },
  { type: "image", data: "AA==", mimeType: "image/png" },
  { type: "audio", data: "AQ==", mimeType: "audio/wav" },
  { type: "resource", resource: { uri: "memo://note", mimeType: "text/plain", text: "a note" } },
  { type: "resource_link", uri: "memo://note", name: "note", title: "The note" },
] as const;

/** Tools whose results differ. */
export function addTools({ server, count }: Stage): void {
  server.tool(
    "text",
    {
      title: "Text",
      description: "Gives text",
      annotations: { readOnlyHint: true },
      icons: [{ src: "https://example.com/text.png" }],
      _meta: { "com.example/kind": "text" },
    },
    () => "some text",
  );
  server.tool("blocks", {}, () => BLOCKS);
  server.tool("nothing", {}, () => undefined);
  server.tool("whole", {}, () => ({
    content: [{ type: "text", text: "whole" }],
    _meta: { "com.example/whole": true },
  }));
  const numbers = { type: "array", items: { type: "number" } } as const;
  server.tool("object", { output: { type: "object", properties: { sum: { type: "number" } } } }, () => ({ sum: 3 }));
  server.tool("array", { output: numbers }, () => [1, 2]);
  server.tool("wrong output", { output: numbers }, () => ["one"] as never); // a slip of the handler's author
  server.tool("fails", {}, () => {
    throw new Error("no luck");
  });
  server.tool("refuses", {}, () => {
    throw new JsonRpcError(-32000, "Busy", { retry: 1 });
  });
  server.tool("misnumbers", {}, () => {
    throw new JsonRpcError(-32050, "Of a range that is not ours");
  });
  const times = { type: "object", properties: { times: { type: "integer" } }, required: ["times"] } as const;
  server.tool("typed", { input: times }, ({ times: asked }) => {
    count("typed");
    return `${asked} times`;
  });
  const region = { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } } as const;
  server.tool("headed", { input: region }, (args) => `region ${args.region}`);
}
