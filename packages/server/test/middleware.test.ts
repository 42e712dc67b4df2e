import { MCPServer } from "@mortise/server";
import { describe, expect, test, vi } from "vitest";
import { modern } from "./eras.js";

const info = { name: "test", version: "1" };

describe("middleware", () => {
  test("runs around every request, the first one outermost", async () => {
    const server = new MCPServer({ ...info, tools: [] });
    const order: string[] = [];
    server.use(async ({ method }, next) => {
      order.push(`first ${method}`);
      const result = await next();
      order.push("first after");
      return result;
    });
    server.use((_, next) => {
      order.push("second");
      return next();
    });

    const { result } = await modern.ask(server, "tools/list");

    expect(order).toEqual(["first tools/list", "second", "first after"]);
    expect(result).toMatchObject({ resultType: "complete", tools: [] });
  });

  test("may change the result, or answer itself", async () => {
    const server = new MCPServer(info);
    const handler = vi.fn(() => "x");
    server.tool("t", {}, handler);
    server.use(() => ({ content: [{ type: "text", text: "mine" }] }));

    expect((await modern.call(server, "t")).result.content[0].text).toBe("mine");
    expect(handler).not.toHaveBeenCalled();
  });

  test("knows who asks for what", async () => {
    const server = new MCPServer(info);
    server.tool("t", {}, () => "x");
    const seen = vi.fn();
    server.use((call, next) => {
      seen(call.method, call.params.name, call.client?.name, call.principal, call.protocolVersion);
      return next();
    });

    await modern.ask(server, "tools/call", { name: "t" }, { principal: "ann" });

    expect(seen).toHaveBeenCalledExactlyOnceWith("tools/call", "t", "probe", "ann", "2026-07-28");
  });

  test("that throws fails the call without telling why", async () => {
    const onError = vi.fn();
    const server = new MCPServer({ ...info, tools: [], onError });
    server.use(() => Promise.reject(new Error("secret")));

    expect((await modern.ask(server, "tools/list")).error).toEqual({ code: -32603, message: "Internal error" });
    expect(onError).toHaveBeenCalledOnce();
  });
});
