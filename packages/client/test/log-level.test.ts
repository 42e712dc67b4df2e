import { expect, test } from "vitest";
import { startFake } from "./fake-http.js";
import { serveLegacy } from "./legacy-server.js";
import { serveModern } from "./modern-server.js";
import { collectProblems, failureOf, openClient } from "./open-client.js";

const KEY = "io.modelcontextprotocol/logLevel";

test("a modern server is told the level with every request, and by nothing else", async () => {
  const fake = await startFake(serveModern());
  const client = openClient(fake.url);

  await client.setLogLevel("warning");
  await client.callTool("echo", { text: "hi" });
  await client.callTool("echo", { text: "hi" }, { meta: { [KEY]: "debug", trace: 1 } });

  expect(fake.methods()).toEqual(["server/discover", "tools/list", "tools/call", "tools/call"]);
  expect(fake.log.slice(1).map(({ message }) => message.params?._meta?.[KEY])).toEqual(["warning", "warning", "debug"]);
  expect(fake.log.at(-1)?.message.params?._meta).toMatchObject({ trace: 1 });
});

test("without a level modern requests say nothing of one", async () => {
  const fake = await startFake(serveModern());
  const client = openClient(fake.url);

  await client.callTool("echo", { text: "hi" });

  expect(fake.log.map(({ message }) => message.params?._meta?.[KEY])).toEqual([undefined, undefined, undefined]);
});

test("a legacy server is told the level by a request", async () => {
  const fake = await startFake(serveLegacy({ overrides: { "logging/setLevel": (reply) => reply.result({}) } }));
  const client = openClient(fake.url);

  await client.setLogLevel("error");

  expect(fake.log.at(-1)?.message).toMatchObject({ method: "logging/setLevel", params: { level: "error" } });
});

test("a legacy server without logging refuses", async () => {
  const fake = await startFake(serveLegacy());
  const client = openClient(fake.url);

  expect(await failureOf(client.setLogLevel("error"))).toMatchObject({ code: -32601 });
});

test("a session that takes the place of a lost one is told the level again", async () => {
  const gone = new Set<string | undefined>();
  const fake = await startFake(
    serveLegacy({
      sessions: ["s1", "s2"],
      isGone: (session) => gone.has(session),
      overrides: { "logging/setLevel": (reply) => reply.result({}) },
    }),
  );
  const client = openClient(fake.url);
  await client.setLogLevel("error");
  gone.add("s1");

  await client.callTool("echo", { text: "hi" });

  const sent = fake.log.filter(({ message }) => message.method === "logging/setLevel");
  expect(sent.map(({ headers }) => headers["mcp-session-id"])).toEqual(["s1", "s2"]);
});

test("a client that is opened again tells the level again", async () => {
  const { problems, onError } = collectProblems();
  const fake = await startFake(serveLegacy({ overrides: { "logging/setLevel": (reply) => reply.result({}) } }));
  const client = openClient({ url: fake.url, onError });
  await client.setLogLevel("error");
  await client.close();

  await client.connect();
  await client.ping();

  expect(fake.methods().filter((method) => method === "logging/setLevel")).toHaveLength(2);
  expect(problems).toEqual([]);
});

test("a level that does not exist is refused before anything is sent", async () => {
  const fake = await startFake(serveModern());
  const client = openClient(fake.url);

  expect(await failureOf(client.setLogLevel("loud" as never))).toMatchObject({ code: "invalid_options" });
  expect(fake.log).toEqual([]);
});
