import { MCPServer } from "@mortise/server";
import { expect, test } from "vitest";
import { describeEras } from "./eras.js";

const info = { name: "test", version: "1" };

describeEras("tools/list", ({ ask }) => {
  function createServer(count: number, pageSize?: number): MCPServer {
    const server = new MCPServer({ ...info, ...(pageSize === undefined ? {} : { pageSize }) });
    for (let index = 1; index <= count; index += 1) server.tool(`t${index}`, {}, () => "x");
    return server;
  }
  const names = (result: { tools: { name: string }[] }) => result.tools.map(({ name }) => name);

  test("lists everything on one page, in the order of registration", async () => {
    const { result } = await ask(createServer(5), "tools/list");

    expect(names(result)).toEqual(["t1", "t2", "t3", "t4", "t5"]);
    expect(result).not.toHaveProperty("nextCursor");
  });

  test("goes through pages by cursors", async () => {
    const server = createServer(5, 2);
    const first = (await ask(server, "tools/list")).result;
    const second = (await ask(server, "tools/list", { cursor: first.nextCursor })).result;
    const third = (await ask(server, "tools/list", { cursor: second.nextCursor })).result;

    expect([names(first), names(second), names(third)]).toEqual([["t1", "t2"], ["t3", "t4"], ["t5"]]);
    expect(third).not.toHaveProperty("nextCursor");
  });

  test("ends a list that fills its last page", async () => {
    const { result } = await ask(createServer(2, 2), "tools/list");

    expect(result).not.toHaveProperty("nextCursor");
  });

  test("keeps a cursor's place when tools come and go", async () => {
    const server = createServer(4, 2);
    const { nextCursor } = (await ask(server, "tools/list")).result;
    const extra = server.tool("extra", {}, () => "x");
    server.tool("more", {}, () => "x");
    extra.remove();

    const { result } = await ask(server, "tools/list", { cursor: nextCursor });

    expect(names(result)).toEqual(["t3", "t4"]);
  });

  test("understands the cursor of another process with the same tools", async () => {
    const { nextCursor } = (await ask(createServer(3, 2), "tools/list")).result;

    expect(names((await ask(createServer(3, 2), "tools/list", { cursor: nextCursor })).result)).toEqual(["t3"]);
  });

  test.each(["", "x", "!!!", btoa("tools:"), btoa("tools:-1"), btoa("other:1"), "A".repeat(1000)])(
    "refuses the cursor %j",
    async (cursor) => {
      expect((await ask(createServer(3, 2), "tools/list", { cursor })).error.code).toBe(-32602);
    },
  );

  test.each([5, null, {}])("refuses a cursor that is no string: %j", async (cursor) => {
    expect((await ask(createServer(3, 2), "tools/list", { cursor })).error.code).toBe(-32602);
  });

  test("shows a change at once, however often the list was asked for before", async () => {
    const server = createServer(1);
    await ask(server, "tools/list");
    const tool = server.tool("new", {}, () => "x");

    expect(names((await ask(server, "tools/list")).result)).toEqual(["t1", "new"]);
    tool.disable();
    expect(names((await ask(server, "tools/list")).result)).toEqual(["t1"]);
  });

  test("gives the same bytes each time", async () => {
    const server = createServer(3);

    expect(await ask(server, "tools/list")).toEqual(await ask(server, "tools/list"));
  });

  test("does not exist on a server that never had tools", async () => {
    expect((await ask(new MCPServer(info), "tools/list")).error.code).toBe(-32601);
    expect((await ask(new MCPServer({ ...info, tools: [] }), "tools/list")).result.tools).toEqual([]);
  });
});
