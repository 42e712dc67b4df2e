import { describe, expect, test } from "vitest";
import { ADAPTERS } from "./adapters.js";
import { createFixture, modern } from "./fixture.js";

const NAMES = [
  { name: "get_weather", header: "get_weather" },
  { name: "résumé", header: "=?base64?csOpc3Vtw6k=?=" },
  { name: "🙂", header: "=?base64?8J+Zgg==?=" },
  { name: " tab\t", header: "=?base64?IHRhYgk=?=" },
  { name: "=?base64?Zm9v?=", header: "=?base64?PT9iYXNlNjQ/Wm05dj89?=" },
  { name: "x\r\nX-Admin: 1", header: "=?base64?eA0KWC1BZG1pbjogMQ==?=" },
  { name: "=?BASE64?Zm9v?=", header: "=?BASE64?Zm9v?=" },
];

describe.each(ADAPTERS)("$name", (adapter) => {
  test.each(NAMES)("takes the name header $header for the tool it names", async ({ name, header }) => {
    const mounted = await adapter.mount(createFixture().server);

    const request = modern("tools/call", { name, arguments: {} });
    const answer = await mounted.send({ ...request, headers: { ...request.headers, "mcp-name": header } });

    await mounted.close();
    // The tool does not exist, which is found out behind the header check.
    expect(JSON.parse(answer.body).error.code).toBe(-32602);
  });

  test.each([
    { title: "another name", header: "get_time" },
    { title: "the encoded form of another", header: "=?base64?8J+Zgg==?=" },
    { title: "broken Base64", header: "=?base64?!!!?=" },
    { title: "encoded bytes that are not UTF-8", header: "=?base64?/w==?=" },
    { title: "a raw byte beyond ASCII", header: "\xE9" },
    { title: "the name twice", header: "get_weather, get_weather" },
  ])("refuses $title with -32020", async ({ header }) => {
    const { server, ran } = createFixture();
    server.tool("get_weather", {}, () => "sun");
    const mounted = await adapter.mount(server);

    const request = modern("tools/call", { name: "get_weather", arguments: {} });
    const answer = await mounted.send({ ...request, headers: { ...request.headers, "mcp-name": header } });

    await mounted.close();
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body).error.code).toBe(-32020);
    expect(ran.count).toBe(0);
  });

  test("refuses a call without the name header, and one with the wrong method header", async () => {
    const mounted = await adapter.mount(createFixture().server);
    const request = modern("tools/call", { name: "echo", arguments: {} });
    const { "mcp-name": _, ...nameless } = request.headers;

    const answers = [
      await mounted.send({ ...request, headers: nameless }),
      await mounted.send({ ...request, headers: { ...request.headers, "mcp-method": "Tools/call" } }),
    ];

    await mounted.close();
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
    expect(answers.map(({ body }) => JSON.parse(body).error.code)).toEqual([-32020, -32020]);
  });
});
