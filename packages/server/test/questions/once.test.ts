import { describe, expect, test } from "vitest";
import { openLegacy } from "./legacy-client.js";
import { accept, createServer, NAME_SCHEMA, reply, send, textOf } from "./modern-client.js";

describe("once", () => {
  test("does its work in one run of a chain, and gives what it gave to the others", async () => {
    const { server } = createServer();
    let orders = 0;
    server.tool("ask", {}, async (_, { elicit, once }) => {
      const order = await once("order", () => ({ number: ++orders, at: new Date(0) }));
      await elicit({ message: "One?", schema: NAME_SCHEMA });
      await elicit({ message: "Two?", schema: NAME_SCHEMA });
      return JSON.stringify(order);
    });

    let answer = await send(server);
    for (let step = 1; step <= 2; step += 1) answer = await reply(server, answer, () => accept({ name: "Ada" }));

    expect(orders).toBe(1);
    expect(JSON.parse(textOf(answer) ?? "")).toEqual({ number: 1, at: "1970-01-01T00:00:00.000Z" });
  });

  test("is waited for when the run ends meanwhile", async () => {
    const { server } = createServer();
    let charges = 0;
    server.tool("ask", {}, async (_, { elicit, once }) => {
      const charging = once("charge", async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        charges += 1;
      });
      await elicit({ message: "One?", schema: NAME_SCHEMA });
      await charging;
      return "charged";
    });

    const second = await reply(server, await send(server), () => accept({ name: "Ada" }));

    expect(textOf(second)).toBe("charged");
    expect(charges).toBe(1);
  });

  test("does not try again what failed, but fails again", async () => {
    const { server } = createServer();
    let tries = 0;
    server.tool("ask", {}, async (_, { elicit, once }) => {
      const failed = await once("work", () => {
        tries += 1;
        throw new Error("no luck");
      }).catch((error: Error) => error.message);
      await elicit({ message: "One?", schema: NAME_SCHEMA });
      return String(failed);
    });

    const second = await reply(server, await send(server), () => accept({ name: "Ada" }));

    expect(textOf(second)).toBe("no luck");
    expect(tries).toBe(1);
  });

  test("may ask something, and is done again with the answer", async () => {
    const { server } = createServer();
    server.tool("ask", {}, async (_, { elicit, once }) =>
      once("work", async () => (await elicit({ message: "One?", schema: NAME_SCHEMA })).action),
    );

    const second = await reply(server, await send(server), () => accept({ name: "Ada" }));

    expect(textOf(second)).toBe("accept");
  });

  test.each([
    ["a function", () => () => 1],
    ["a bigint", () => 1n],
    ["a map", () => new Map()],
  ])("takes no other result than JSON: %s", async (_, work) => {
    const { server, errors } = createServer();
    server.tool("ask", {}, async (__, { once }) => JSON.stringify(await once<unknown>("work", work)));

    const { result } = await send(server);

    expect(result.isError).toBe(true);
    expect(errors).toMatchObject([{ code: "invalid_options" }]);
  });

  test.each([
    [5, () => 1],
    ["work", 5],
  ])("needs a key and a function: %s, %s", async (key, work) => {
    const { server, errors } = createServer();
    server.tool("ask", {}, async (_, { once }) => once(key as string, work as unknown as () => string));

    expect((await send(server)).result.isError).toBe(true);
    expect(errors).toMatchObject([{ code: "invalid_options" }]);
  });

  test("works once in a run that nobody repeats, too", async () => {
    const { server } = createServer();
    let count = 0;
    server.tool("ask", {}, async (_, { once }) => {
      const both = await Promise.all([once("work", () => ++count), once("work", () => ++count)]);
      return both.join(" ");
    });

    expect(textOf(await send(server))).toBe("1 1");
    expect(textOf(await openLegacy(server).call())).toBe("2 2");
  });
});
