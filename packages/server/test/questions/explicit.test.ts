import { inputRequired, type MCPServer, type ServerOptions } from "@mortise/server";
import { describe, expect, test } from "vitest";
import { openLegacy } from "./legacy-client.js";
import { accept, createServer, NAME_SCHEMA, reply, send, textOf } from "./modern-client.js";

const NAME = { elicit: { message: "Who?", schema: NAME_SCHEMA } };

/** Asks for a name, then for a city, by returning each question. */
function addStepping(server: MCPServer): void {
  server.tool("ask", {}, (_, { inputResponses, inputState }) => {
    const { name, city } = inputResponses;
    if (name === undefined) return inputRequired({ inputRequests: { name: NAME }, state: { step: 1 } });
    if (city === undefined) {
      const params = {
        message: "Where?",
        requestedSchema: { type: "object", properties: { city: { type: "string", minLength: 2 } }, required: ["city"] },
      };
      return inputRequired({
        inputRequests: { city: { method: "elicitation/create", params } },
        state: { step: 2, before: inputState },
      });
    }
    return JSON.stringify({ name, city, inputState });
  });
}

const EXPECTED = {
  name: accept({ name: "Ada" }),
  city: accept({ city: "Ulm" }),
  inputState: { step: 2, before: { step: 1 } },
};

function answerTo(key: string): unknown {
  return accept(key === "name" ? { name: "Ada" } : { city: "Ulm" });
}

describe("questions that a handler returns", () => {
  test("are asked of modern clients, and their answers and state come back", async () => {
    const { server } = createServer();
    addStepping(server);

    const first = await send(server);
    const second = await reply(server, first, answerTo);
    const third = await reply(server, second, answerTo);

    expect(first.result).toMatchObject({ resultType: "input_required", inputRequests: { name: {} } });
    expect(first.result.requestState).not.toBe(second.result.requestState);
    expect(JSON.parse(textOf(third) ?? "")).toEqual(EXPECTED);
  });

  test.each<ServerOptions["replay"]>(["modern", "always"])(
    "are asked of legacy clients, too (replay: %s)",
    async (replay) => {
      const { server } = createServer({ replay });
      addStepping(server);
      const client = openLegacy(server, ({ params }) => ({
        result: answerTo(params.message === "Who?" ? "name" : "city"),
      }));

      const answer = await client.call();

      expect(JSON.parse(textOf(answer) ?? "")).toEqual(EXPECTED);
      expect(client.put).toHaveLength(2);
    },
  );

  test.each([
    ["a number", 12345],
    ["content that breaks the form", accept({ city: "U" })],
    ["a roots result", { roots: [] }],
  ])("are asked again when the answer is %s", async (_, response) => {
    const { server } = createServer();
    addStepping(server);
    const second = await reply(server, await send(server), answerTo);

    const third = await reply(server, second, () => response);

    expect(Object.keys(third.result.inputRequests)).toEqual(["city"]);
  });

  test("may be none, with state alone", async () => {
    const { server } = createServer();
    server.tool("ask", {}, (_, { inputState }) =>
      inputState === undefined ? inputRequired({ state: "later" }) : String(inputState),
    );

    const first = await send(server);

    expect(first.result).not.toHaveProperty("inputRequests");
    expect(textOf(await reply(server, first, () => undefined))).toBe("later");
    expect(textOf(await openLegacy(server).call())).toBe("later");
  });

  test("bring their state back as JSON, on every revision", async () => {
    const { server } = createServer();
    server.tool("ask", {}, (_, { inputState }) =>
      inputState === undefined ? inputRequired({ state: { at: new Date(0) } }) : JSON.stringify(inputState),
    );
    const text = '{"at":"1970-01-01T00:00:00.000Z"}';

    expect(textOf(await reply(server, await send(server), () => undefined))).toBe(text);
    expect(textOf(await openLegacy(server).call())).toBe(text);
  });

  test.each([() => 1, 1n, new Map()])("cannot have a state that is no JSON: %s", async (state) => {
    const { server, errors } = createServer();
    server.tool("ask", {}, () => inputRequired({ state }));

    const answers = [await send(server), await openLegacy(server).call()];

    expect(answers).toMatchObject([{ result: { isError: true } }, { result: { isError: true } }]);
    expect(errors).toMatchObject([{ code: "invalid_options" }, { code: "invalid_options" }]);
  });

  test("that lead nowhere end, too", async () => {
    const { server } = createServer();
    let runs = 0;
    server.tool("ask", {}, () => {
      runs += 1;
      return inputRequired({ state: runs });
    });

    const { result } = await openLegacy(server).call();

    expect(result.isError).toBe(true);
    expect(runs).toBe(9);
  });

  test("are asked of a client that gives no valid answer eight times at most", async () => {
    const { server } = createServer();
    addStepping(server);
    const client = openLegacy(server, () => ({ result: { action: "yes" } }));

    const { result } = await client.call();

    expect(result.isError).toBe(true);
    expect(client.put).toHaveLength(8);
  });

  test("need what the client declared", async () => {
    const { server } = createServer();
    server.tool("ask", {}, () => inputRequired({ inputRequests: { where: { roots: {} } } }));

    const { error } = await send(server, { meta: { "io.modelcontextprotocol/clientCapabilities": {} } });
    const { result } = await openLegacy(server, () => undefined, { capabilities: {} }).call();

    expect(error.code).toBe(-32021);
    expect(result.isError).toBe(true);
  });

  test("are asked although their answers came before, since nothing tells what those should be", async () => {
    const { server } = createServer();
    addStepping(server);

    const { result } = await send(server, { responses: { name: answerTo("name"), city: answerTo("city") } });

    expect(Object.keys(result.inputRequests)).toEqual(["name"]);
  });

  test("do not silence the notices of the next run", async () => {
    const { server } = createServer();
    const sent: unknown[] = [];
    server.tool("ask", {}, async (_, { inputResponses, progress }) => {
      if (inputResponses.name === undefined) return inputRequired({ inputRequests: { name: NAME } });
      await progress(1);
      return "done";
    });

    await reply(server, await send(server), answerTo, {
      meta: { progressToken: 1 },
      options: { send: (notice) => void sent.push(notice.method) },
    });

    expect(sent).toEqual(["notifications/progress"]);
  });
});

describe("inputRequired", () => {
  test.each([undefined, null, {}, { inputRequests: {} }, { inputRequests: [] }, { inputRequests: 5 }])(
    "refuses %j",
    (demand) => {
      expect(() => inputRequired(demand as never)).toThrow(expect.objectContaining({ code: "invalid_options" }));
    },
  );
});

describe("questions that are written by hand", () => {
  const question = { resultType: "input_required", inputRequests: { name: { method: "roots/list" } } };

  test.each([
    ["a tool", "tools/call", { name: "ask" }],
    ["a tool with output", "tools/call", { name: "shape" }],
    ["a prompt", "prompts/get", { name: "ask" }],
  ])("are not put for %s", async (_, method, params) => {
    const { server, errors } = createServer();
    server.tool("ask", {}, () => question);
    server.tool("shape", { output: { type: "object" } }, () => question);
    server.prompt("ask", {}, () => ({ ...question, messages: [] }));

    const { result, error } = await send(server, { method, params });

    expect(result?.isError ?? error?.code).toBe(method === "tools/call" ? true : -32603);
    expect(errors).toHaveLength(1);
  });

  test("are not put for a list", async () => {
    const { server } = createServer({ tools: [] });
    server.use(() => question);

    expect((await send(server, { method: "tools/list", params: {} })).error.code).toBe(-32603);
  });

  test("hold something", async () => {
    const { server } = createServer();
    server.tool("ask", {}, () => "x");
    server.use(() => ({ resultType: "input_required" }));

    expect((await send(server)).error.code).toBe(-32603);
  });
});
