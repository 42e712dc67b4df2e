import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolResultSchema,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import {
  ABOUT,
  type Behaviour,
  CAPABILITIES,
  createMessage,
  type FeatureClient,
  type FeatureTarget,
  ROOTS,
  readText,
} from "./feature-client.js";

/** Version 1 of the official SDK. */
export const sdkFeatureClient: FeatureClient = {
  name: "official SDK 1 client",
  era: "legacy",
  notFound: -32002,
  speaksSse: true,
  async connect(target, behaviour) {
    const client = createClient(behaviour);
    const transport = createTransport(target);
    await client.connect(transport);
    return {
      era: "legacy",
      sessionId: transport.sessionId,
      announcesLists: client.getServerCapabilities()?.tools?.listChanged === true,
      async call(name, { logLevel } = {}) {
        if (logLevel !== undefined) await client.setLoggingLevel(logLevel);
        return readText(await client.callTool({ name, arguments: {} }));
      },
      listResources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
      listTemplates: async () =>
        (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      async read(uri) {
        const [contents] = (await client.readResource({ uri })).contents;
        return contents !== undefined && "text" in contents ? contents.text : (contents?.blob ?? "");
      },
      listPrompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
      async getPrompt(name, args = {}) {
        const [message] = (await client.getPrompt({ name, arguments: args })).messages;
        return message?.content.type === "text" ? message.content.text : "";
      },
      async completeLanguage(typed, name) {
        const { completion } = await client.complete({
          ref: { type: "ref/prompt", name: "greet" },
          argument: { name: "language", value: typed },
          context: { arguments: { name } },
        });
        return completion.values;
      },
      watch: async (uri) => void (await client.subscribeResource({ uri })),
      listen: async () => undefined,
      resume: (name) => resume(client, target, { name, session: transport.sessionId, behaviour }),
      async end() {
        if (transport instanceof StreamableHTTPClientTransport) await transport.terminateSession();
      },
      close: () => client.close(),
    };
  },
};

function createClient({ elicit, hear }: Behaviour): Client {
  const client = new Client(ABOUT, { capabilities: CAPABILITIES });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => elicit(params.mode ?? "form"));
  client.setRequestHandler(CreateMessageRequestSchema, createMessage);
  client.setRequestHandler(ListRootsRequestSchema, () => ROOTS);
  client.setNotificationHandler(ToolListChangedNotificationSchema, ({ method }) => hear(method, "tools"));
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ method, params }) => hear(method, params.uri));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ method, params }) => hear(method, params.level));
  return client;
}

function createTransport(target: FeatureTarget, sessionId?: string): Transport {
  // Their own types disagree under exactOptionalPropertyTypes.
  if ("sse" in target) return new SSEClientTransport(new URL(target.sse)) as Transport;
  if ("url" in target)
    return new StreamableHTTPClientTransport(
      new URL(target.url),
      sessionId === undefined ? {} : { sessionId },
    ) as Transport;
  const { command, args } = target;
  return new StdioClientTransport({ command, args: [...args], stderr: "ignore" });
}

interface Resuming {
  readonly name: string;
  readonly session: string | undefined;
  readonly behaviour: Behaviour;
}

async function resume(client: Client, target: FeatureTarget, { name, session, behaviour }: Resuming): Promise<string> {
  const request = { method: "tools/call", params: { name, arguments: {} } } as const;
  const token = await new Promise<string>((resolve, reject) => {
    const lost = client.request(request, CallToolResultSchema, {
      onresumptiontoken: resolve,
      onprogress: () => undefined,
    });
    lost.then(() => reject(new Error("Expected the call to take longer")), reject); // without effect once it is resolved
  });
  await client.close();
  const other = createClient(behaviour);
  await other.connect(createTransport(target, session));
  try {
    return readText(await other.request(request, CallToolResultSchema, { resumptionToken: token }));
  } finally {
    await other.close();
  }
}
