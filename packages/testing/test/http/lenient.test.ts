import type { LenientOptions } from "@mortise/http";
import { describe, expect, test } from "vitest";
import { ADAPTERS, type Sent } from "./adapters.js";
import { createFixture, legacy, modern, opening, PLAIN_HEADERS } from "./fixture.js";

interface Excuse {
  readonly option: keyof LenientOptions;
  readonly title: string;
  readonly request: Sent;
  readonly status: number;
}

function say(body: string, version = "2025-11-25"): Sent {
  return { headers: { ...PLAIN_HEADERS, "mcp-protocol-version": version }, body };
}

const NOTICE = '"jsonrpc":"2.0","method":"notifications/initialized"';
const LIST = '"jsonrpc":"2.0","method":"tools/list"';
const CALL = modern("tools/call", { name: "echo", arguments: {} });

const EXCUSES: readonly Excuse[] = [
  { option: "batches", title: "an array", request: say(`[{${LIST},"id":1}]`), status: 200 },
  { option: "batches", title: "an array of notices", request: say(`[{${NOTICE}}]`), status: 202 },
  { option: "nullId", title: "a notice with an empty id", request: say(`{${NOTICE},"id":null}`), status: 202 },
  {
    option: "nullParams",
    title: "a request with empty params",
    request: say(`{${LIST},"id":1,"params":null}`),
    status: 200,
  },
  { option: "fractionalId", title: "an id with a fraction", request: say(`{${LIST},"id":0.25}`), status: 200 },
  {
    option: "fractionalId",
    title: "an id with a fraction on a modern request",
    request: { ...CALL, body: CALL.body.replace('"id":1', '"id":0.25') },
    status: 200,
  },
];

describe.each(ADAPTERS)("$name", (adapter) => {
  test.each(EXCUSES)("takes $title with lenient.$option alone", async ({ option, request, status }) => {
    const strict = await adapter.mount(createFixture().server);
    const lenient = await adapter.mount(createFixture().server, { lenient: { [option]: true } });

    const answers = [await strict.send(request), await lenient.send(request)];

    await Promise.all([strict.close(), lenient.close()]);
    expect(answers.map((answer) => answer.status)).toEqual([400, status]);
  });

  test("answers an id with a fraction with that id", async () => {
    const mounted = await adapter.mount(createFixture().server, { lenient: { fractionalId: true } });

    const answer = await mounted.send(say(`{${LIST},"id":0.25}`));

    await mounted.close();
    expect(JSON.parse(answer.body).id).toBe(0.25);
  });

  test.each(EXCUSES.filter(({ request }) => request.headers?.["mcp-method"] === undefined))(
    "takes $title in a session, too",
    async ({ option, request, status }) => {
      const options = { lenient: { [option]: true }, legacy: { sessions: "memory" } } as const;
      const mounted = await adapter.mount(createFixture().server, options);
      const opened = await mounted.send(legacy("initialize", opening("2025-11-25"), { version: undefined }));
      const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };

      const answer = await mounted.send({ ...request, headers: { ...request.headers, ...session } });

      await mounted.close();
      expect(answer.status).toBe(status);
    },
  );

  test("tidies the entries of arrays, too, and leaves what else is empty alone", async () => {
    const lenient = { batches: true, nullId: true, nullParams: true };
    const { server } = createFixture();
    server.tool("show", { input: { type: "object" } }, (args) => JSON.stringify(args));
    const mounted = await adapter.mount(server, { lenient });
    const call = '"method":"tools/call","params":{"name":"show","arguments":{"id":null,"params":null}}';
    const entries = [`{${LIST},"id":1,"params":null}`, `{${NOTICE},"id":null}`, `{"jsonrpc":"2.0","id":2,${call}}`];

    const answer = await mounted.send(say(`[${entries.join(",")}]`));

    await mounted.close();
    expect(JSON.parse(answer.body)).toMatchObject([
      { id: 1 },
      { id: 2, result: { content: [{ text: '{"id":null,"params":null}' }] } },
    ]);
  });

  test.each([
    ["an array of modern requests", say(`[${modern("tools/list").body}]`, "2026-07-28")],
    ["no JSON-RPC version", say('{"id":1,"method":"tools/list"}')],
    ["params that are an array", say(`{${LIST},"id":1,"params":[]}`)],
    ["an id that is an object", say(`{${LIST},"id":{}}`)],
    ["an id beyond what numbers hold", say(`{${LIST},"id":1e999}`)],
  ])("refuses %s whatever is excused", async (_, request) => {
    const lenient = { batches: true, nullId: true, nullParams: true, fractionalId: true };
    const mounted = await adapter.mount(createFixture().server, { lenient });

    const answer = await mounted.send(request);

    await mounted.close();
    expect(answer.status).toBe(400);
  });

  test("answers ping on modern revisions where the server is told to", async () => {
    const strict = await adapter.mount(createFixture().server);
    const lenient = await adapter.mount(createFixture({ lenient: { modernPing: true } }).server);

    const answers = [await strict.send(modern("ping")), await lenient.send(modern("ping"))];

    await Promise.all([strict.close(), lenient.close()]);
    expect(answers.map(({ status }) => status)).toEqual([404, 200]);
  });

  test("answers arguments that break a schema as a result, or as an error where the server is told to", async () => {
    const call = (name: string) => legacy("tools/call", { name, arguments: { city: 5 } });
    const statuses: unknown[] = [];
    for (const invalidArguments of ["result", "protocol-error"] as const) {
      const { server } = createFixture({ invalidArguments });
      server.tool("near", { input: { type: "object", properties: { city: { type: "string" } } } }, () => "near");
      const mounted = await adapter.mount(server);
      const { result, error } = JSON.parse((await mounted.send(call("near"))).body);
      await mounted.close();
      statuses.push(result?.isError ?? error.code);
    }

    expect(statuses).toEqual([true, -32602]);
  });
});
