import type { MCPServer } from "@mortise/server";
import { PIXEL_PNG } from "./sample-media.js";

/** Resources of each kind: text, bytes, one whose address has a gap to fill in, and one that clients watch. */
export function addResources(server: MCPServer): void {
  server.resource(
    "test://static-text",
    { name: "static-text", title: "Static text", description: "A text that never changes", mimeType: "text/plain" },
    () => "This is the content of the static text resource.",
  );

  // Bytes are sent in Base64; here they come from a constant.
  server.resource(
    "test://static-binary",
    { name: "static-binary", title: "Static image", description: "One grey pixel", mimeType: "image/png" },
    () => Uint8Array.from(atob(PIXEL_PNG), (character) => character.charCodeAt(0)),
  );

  server.resource(
    "test://watched-resource",
    { name: "watched-resource", title: "Watched", description: "Can be subscribed to", mimeType: "text/plain" },
    () => "Clients that watch this are told when it changes.",
  );

  // What stands in braces arrives as a parameter. Clients may ask which values make sense while somebody types one.
  server.resource(
    "test://template/{id}/data",
    {
      name: "template-data",
      title: "Data by id",
      description: "Data whose address holds an id",
      mimeType: "application/json",
      complete: { id: (typed) => ["123", "124", "200"].filter((id) => id.startsWith(typed)) },
    },
    ({ params: { id } }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  );
}
