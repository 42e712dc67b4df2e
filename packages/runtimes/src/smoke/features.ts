import { type Check, inBothEras } from "./check.js";
import { eventually, expectEqual, withClient } from "./expect.js";

/** What servers have besides tools, and what they say unasked. */
export const FEATURES: readonly Check[] = [
  ...inBothEras("lists and reads resources", async (url) => {
    await withClient(url, async (client) => {
      const resources = await client.listResources();
      const templates = await client.listResourceTemplates();
      const { contents } = await client.readResource("memo://item/7");

      expectEqual(
        resources.map(({ uri }) => uri),
        ["memo://note"],
      );
      expectEqual(
        templates.map(({ uriTemplate }) => uriTemplate),
        ["memo://item/{id}"],
      );
      expectEqual(contents.length, 1);
    });
  }),
  ...inBothEras("lists and fills in prompts", async (url) => {
    await withClient(url, async (client) => {
      const prompts = await client.listPrompts();
      const { messages } = await client.getPrompt("greet", { name: "Ada" });
      const { values } = await client.complete({ prompt: "greet", argument: "name", value: "A" });

      expectEqual(
        prompts.map(({ name }) => name),
        ["greet"],
      );
      expectEqual(messages.length, 1);
      expectEqual(values, ["Ada"]);
    });
  }),
  ...inBothEras("subscribes to changes", async (url) => {
    await withClient(url, async (client) => {
      const heard: string[] = [];
      const onChange = ({ method }: { method: string }): void => void heard.push(method);
      const subscription = await client.subscribe({ toolsListChanged: true }, { onChange });
      await client.callTool("change");

      await eventually(() => heard.includes("notifications/tools/list_changed"), "a notice of a change");
      await subscription.close();
      expectEqual((await subscription.closed).reason, "closed");
    });
  }),
  {
    name: "hears what a legacy server says unasked",
    run: async ({ legacy, log }) => {
      const heard: string[] = [];
      const options = {
        url: `${legacy}?run=stream`,
        onNotification: ({ method }: { method: string }) => void heard.push(method),
      };
      await withClient(options, async (client) => {
        await client.connect();
        await eventually(async () => (await (await fetch(`${log}?run=stream`)).text()).includes("GET"), "a GET stream");
        await client.callTool("change");

        await eventually(() => heard.includes("notifications/tools/list_changed"), "a notice of a change");
      });
    },
  },
];
