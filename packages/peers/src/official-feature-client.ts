import {
  Client,
  type ClientOptions,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
  type VersionNegotiationMode,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
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

/** `@modelcontextprotocol/client` in one of its modes. */
export function createOfficialFeatureClient(mode: VersionNegotiationMode): FeatureClient {
  const era = mode === "legacy" ? "legacy" : "modern";
  return {
    name: `official client, ${typeof mode === "string" ? mode : "pinned"}`,
    era,
    notFound: -32602, // whatever came
    speaksSse: mode === "legacy",
    async connect(target, behaviour) {
      const client = createClient(behaviour, mode);
      const transport = createTransport(target);
      await client.connect(transport);
      return {
        era: client.getProtocolEra() ?? "legacy",
        sessionId: transport.sessionId,
        announcesLists: client.getServerCapabilities()?.tools?.listChanged === true,
        async call(name, { logLevel } = {}) {
          if (logLevel !== undefined && era === "legacy") await client.setLoggingLevel(logLevel);
          const meta = logLevel === undefined ? {} : { _meta: { "io.modelcontextprotocol/logLevel": logLevel } };
          return readText(await client.callTool({ name, arguments: {}, ...(era === "modern" ? meta : {}) }));
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
        async watch(uri) {
          if (era === "legacy") await client.subscribeResource({ uri });
          else await client.listen({ resourceSubscriptions: [uri] });
        },
        async listen() {
          if (era === "modern") await client.listen({ toolsListChanged: true });
        },
        resume: (name) => resume(client, target, { name, session: transport.sessionId, behaviour }),
        async end() {
          if (transport instanceof StreamableHTTPClientTransport) await transport.terminateSession();
        },
        close: () => client.close(),
      };
    },
  };
}

function createClient({ elicit, hear }: Behaviour, mode: VersionNegotiationMode): Client {
  // The default mode is tried as users get it: without the option.
  const options: ClientOptions = mode === "legacy" ? {} : { versionNegotiation: { mode } };
  const client = new Client(ABOUT, { capabilities: CAPABILITIES, ...options });
  client.setRequestHandler("elicitation/create", ({ params }) => elicit(params.mode ?? "form"));
  client.setRequestHandler("sampling/createMessage", createMessage);
  client.setRequestHandler("roots/list", () => ROOTS);
  client.setNotificationHandler("notifications/tools/list_changed", ({ method }) => hear(method, "tools"));
  client.setNotificationHandler("notifications/resources/updated", ({ method, params }) => hear(method, params.uri));
  client.setNotificationHandler("notifications/message", ({ method, params }) => hear(method, params.level));
  return client;
}

function createTransport(target: FeatureTarget, sessionId?: string): Transport {
  if ("sse" in target) return new SSEClientTransport(new URL(target.sse));
  if ("url" in target)
    return new StreamableHTTPClientTransport(new URL(target.url), sessionId === undefined ? {} : { sessionId });
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
    const lost = client.request(request, { onresumptiontoken: resolve, onprogress: () => undefined });
    lost.then(() => reject(new Error("Expected the call to take longer")), reject); // without effect once it is resolved
  });
  await client.close();
  const other = createClient(behaviour, "legacy");
  await other.connect(createTransport(target, session));
  try {
    return readText(await other.request(request, { resumptionToken: token }));
  } finally {
    await other.close();
  }
}
