import type { Extension, JsonObject } from "@mortise/server";
import type { Stage } from "./index.js";

export const ECHO = "com.example/echo";

/** An extension with a method of its own. */
export function addExtension({ server }: Stage): void {
  const extension: Extension<{ "echo/say": JsonObject }> = {
    id: ECHO,
    settings: { loud: true },
    resultTypes: ["echo"],
    methods: {
      "echo/say": {
        mirrors: "word",
        run: ({ word }, { extension }) => ({ resultType: "echo", word, declared: extension(ECHO) }),
      },
    },
  };
  server.extend(extension);
}
