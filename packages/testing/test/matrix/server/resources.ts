import type { Stage } from "./index.js";

/** Resources and templates. */
export function addResources({ server }: Stage): void {
  server.resource(
    "memo://note",
    {
      name: "note",
      title: "The note",
      description: "A note",
      mimeType: "text/plain",
      size: 6,
      icons: [{ src: "https://example.com/note.png" }],
      annotations: { audience: ["user"], priority: 1, lastModified: "2026-01-01T00:00:00Z" },
      _meta: { "com.example/kind": "note" },
    },
    () => ({ text: "a note", _meta: { "com.example/part": 1 } }),
  );
  server.resource("memo://bytes", { mimeType: "application/octet-stream" }, () => new Uint8Array([0, 1]));
  server.resource("memo://broken", {}, () => {
    throw new Error("a secret");
  });
  server.resource("memo://asked", {}, async (_, { listRoots }) => JSON.stringify(await listRoots()));
  server.resource(
    "memo://item/{id}",
    {
      name: "item",
      mimeType: "text/plain",
      complete: { id: (typed) => ["1", "2", "12"].filter((id) => id.startsWith(typed)) },
      list: () => [{ uri: "memo://item/1", name: "first" }],
    },
    ({ params: { id } }) => (id === "9" ? undefined : `item ${id}`),
  );
}
