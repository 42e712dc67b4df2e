import { type Check, inBothEras } from "./check.js";
import { eventually, expectEqual, expectTrue, failureOf, withClient } from "./expect.js";

/** Calls of tools, and what comes with them. */
export const CALLING: readonly Check[] = [
  ...inBothEras("lists tools and calls one", async (url) => {
    await withClient(url, async (client) => {
      await client.connect();
      const { text, isError } = await client.callTool("greet", { name: "Zoë 🙂" });

      expectTrue(client.hasTool("greet"), "the tool in the list");
      expectEqual({ text, isError }, { text: '{"message":"Hello, Zoë 🙂!"}', isError: false });
    });
  }),
  ...inBothEras("takes structured content that fits its schema", async (url) => {
    await withClient(url, async (client) => {
      const { structuredContent } = await client.callTool("greet", { name: "Ada" });

      expectEqual(structuredContent, { message: "Hello, Ada!" });
    });
  }),
  ...inBothEras("refuses structured content that does not fit its schema", async (url) => {
    await withClient(url, async (client) => {
      const error = await failureOf(client.callTool("misfit"));

      expectEqual(error.code, "invalid_output");
    });
  }),
  ...inBothEras("gives an error result", async (url) => {
    await withClient(url, async (client) => {
      const { isError, text } = await client.callTool("fail");

      expectEqual({ isError, text }, { isError: true, text: "no luck" });
    });
  }),
  ...inBothEras("gives an error of the server", async (url) => {
    const error = await withClient(url, (client) => failureOf(client.callTool("nowhere")));

    expectEqual({ name: error.name, code: error.code }, { name: "JsonRpcError", code: -32602 });
  }),
  ...inBothEras("hears progress on an answer that is an event stream", async (url) => {
    await withClient(url, async (client) => {
      const heard: number[] = [];
      const onProgress = ({ progress }: { progress: number }): void => void heard.push(progress);
      const { text } = await client.callTool("count", { to: 3 }, { onProgress });

      expectEqual({ heard, text }, { heard: [1, 2, 3], text: "counted" });
    });
  }),
  ...inBothEras("cancels a call", async (url) => {
    await withClient(url, async (client) => {
      const countCancelled = async (): Promise<number> => Number((await client.callTool("cancelled")).text);
      const before = await countCancelled();
      const controller = new AbortController();
      const call = failureOf(client.callTool("slow", {}, { signal: controller.signal }));
      await eventually(async () => Number((await client.callTool("slow-calls")).text) > 0, "a call under way");
      controller.abort();

      expectEqual((await call).code, "aborted");
      await eventually(async () => (await countCancelled()) > before, "a cancelled call");
    });
  }),
  ...inBothEras("gives a call up when its time is over", async (url) => {
    const error = await withClient(url, (client) => failureOf(client.callTool("slow", {}, { timeout: 200 })));

    expectEqual(error.name, "MCPTimeoutError");
  }),
  ...inBothEras("answers a question that a call puts", async (url) => {
    const asked: string[] = [];
    const onElicit = ({ message }: { message: string }): { action: "accept"; content: { name: string } } => {
      asked.push(message);
      return { action: "accept", content: { name: "Ada" } };
    };
    await withClient({ url, onElicit }, async (client) => {
      const { text } = await client.callTool("ask");

      expectEqual({ asked, text }, { asked: ["Who?"], text: "It is Ada" });
    });
  }),
  ...inBothEras("makes many calls at once", async (url) => {
    await withClient(url, async (client) => {
      const names = Array.from({ length: 20 }, (_, at) => `n${at}`);
      const results = await Promise.all(names.map((name) => client.callTool("greet", { name })));

      expectEqual(
        results.map(({ structuredContent }) => structuredContent),
        names.map((name) => ({ message: `Hello, ${name}!` })),
      );
    });
  }),
  {
    name: "mirrors an argument into a header",
    run: ({ modern }) =>
      withClient(modern, async (client) => {
        const { text } = await client.callTool("region", { region: "Zürich" });

        expectEqual(text, "Zürich");
      }),
  },
];
