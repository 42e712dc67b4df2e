import { describe, expect, onTestFinished, test } from "vitest";
import { ADAPTERS, type Sent } from "./adapters.js";
import { createFixture, legacy, modern } from "./fixture.js";

/** Names that every object of JavaScript answers to, and the empty one. */
const NAMES = ["toString", "__proto__", "constructor", "hasOwnProperty", "valueOf", ""];

/** A server with something of each kind, so that every method exists, and one tool under such a name. */
function createServer() {
  const { server, ran } = createFixture();
  server.tool("has_admin", {}, () => String("isAdmin" in {}));
  server.tool("keys", { input: { type: "object" } }, (args) => Object.keys(args).join());
  server.tool("strict", { input: { type: "object", properties: {}, additionalProperties: false } }, () => "ran");
  server.tool("valueOf", {}, () => "a tool like any other");
  server.prompt(
    "greet",
    { input: [{ name: "who" }], complete: { who: () => [] } },
    ({ who }) => `Hello, ${who ?? "you"}`,
  );
  server.resource("test://greeting", { name: "greeting" }, () => "Hello");
  server.resource("test://{name}", { name: "any" }, () => null);
  return { server, ran };
}

/** A request both ways, with a named header where the modern one needs it. */
function both(method: string, params: Record<string, unknown>, name?: string): Sent[] {
  const headers: Record<string, string> = name === undefined ? {} : { "mcp-name": name };
  return [modern(method, params, { headers }), legacy(method, params)];
}

describe.each(ADAPTERS)("$name", (adapter) => {
  const mount = async () => {
    const mounted = await adapter.mount(createServer().server);
    onTestFinished(() => mounted.close());
    return async (request: Sent) => JSON.parse((await mounted.send(request)).body);
  };

  test.each(NAMES.filter((name) => name !== "valueOf"))("knows no tool, prompt or resource %j", async (name) => {
    const ask = await mount();

    const answers = [];
    for (const request of [
      ...both("tools/call", { name, arguments: {} }, name),
      ...both("prompts/get", { name }, name),
      ...both("completion/complete", { ref: { type: "ref/prompt", name }, argument: { name: "who", value: "" } }),
      ...both("completion/complete", { ref: { type: "ref/resource", uri: name }, argument: { name, value: "" } }),
    ])
      answers.push(await ask(request));
    const reads = [];
    for (const request of both("resources/read", { uri: `test://${name}` }, `test://${name}`))
      reads.push(await ask(request));

    expect(answers.map(({ error }) => error?.code)).toEqual(answers.map(() => -32602));
    expect(reads.map(({ error }) => error?.code)).toEqual([-32602, -32002]);
  });

  test.each(NAMES.filter((name) => name !== ""))("knows no method %s", async (name) => {
    const ask = await mount();

    const answers = [];
    for (const request of both(name, {})) answers.push(await ask(request));

    expect(answers.map(({ error }) => error?.code)).toEqual([-32601, -32601]);
  });

  test("calls a tool that was registered under such a name", async () => {
    const ask = await mount();

    const answers = [];
    for (const request of both("tools/call", { name: "valueOf", arguments: {} })) answers.push(await ask(request));

    expect(answers.map(({ result }) => result?.content[0].text)).toEqual(Array(2).fill("a tool like any other"));
  });

  test.each([
    ["arguments", '"arguments":{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},"a":1}'],
    ["_meta", '"arguments":{},"_meta":{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}'],
    ["params", '"arguments":{},"__proto__":{"isAdmin":true}'],
    ["inputResponses", '"arguments":{},"inputResponses":{"__proto__":{"isAdmin":true}}'],
  ])("takes such names in %s for data, and changes no object by them", async (_, members) => {
    const ask = await mount();
    const { headers } = legacy("tools/call");
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"keys",${members}}}`;

    await ask({ headers, body });
    const [admin] = [await ask(legacy("tools/call", { name: "has_admin", arguments: {} }))];

    expect(admin.result.content[0].text).toBe("false");
    expect("isAdmin" in {}).toBe(false);
  });

  test("hands such arguments on as they are, and refuses them where others than the named are not allowed", async () => {
    const ask = await mount();
    const { headers } = legacy("tools/call");
    const call = (name: string) =>
      ask({
        headers,
        body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":{"__proto__":1,"constructor":2}}}`,
      });

    const answers = [await call("keys"), await call("strict")];

    expect(answers[0].result.content[0].text).toBe("__proto__,constructor");
    expect(answers[1].result.isError).toBe(true);
  });
});
