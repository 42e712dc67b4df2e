import { clientCredentials } from "@mortise/client/oauth";
import type { Check } from "./check.js";
import { expectEqual, failureOf, withClient } from "./expect.js";

/** Servers that want a login. */
export const LOGGING_IN: readonly Check[] = [
  {
    name: "logs in with a secret of its own",
    run: async ({ guarded: { url, client } }) => {
      await withClient({ url, auth: clientCredentials(client) }, async (one) => {
        const { structuredContent } = await one.callTool("greet", { name: "Ada" });

        expectEqual(structuredContent, { message: "Hello, Ada!" });
      });
    },
  },
  {
    name: "is refused without a login",
    run: async ({ guarded: { url } }) => {
      const error = await withClient(url, (client) => failureOf(client.connect()));

      expectEqual(error.name === "JsonRpcError" || error.code === "unauthorized", true);
    },
  },
];
