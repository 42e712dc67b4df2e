import type { JsonRpcNotification } from "@mortise/core";
import { describe, expect, test } from "vitest";
import { accept, createServer, NAME_SCHEMA, reply, send, textOf } from "./modern-client.js";

const AGE_SCHEMA = { type: "object", properties: { age: { type: "integer" } }, required: ["age"] } as const;
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

function answerEither(key: string): unknown {
  return accept(key === "age" ? { age: 36 } : { name: "Ada" });
}

describe("questions that nobody waits for yet", () => {
  test("are put in one round", async () => {
    const { server, errors } = createServer();
    server.tool("ask", {}, async (_, { elicit }) => {
      const name = elicit({ message: "Name?", schema: NAME_SCHEMA, key: "name" });
      const age = elicit({ message: "Age?", schema: AGE_SCHEMA, key: "age" });
      return JSON.stringify([await name, await age]);
    });

    const first = await send(server);
    const second = await reply(server, first, answerEither);

    expect(Object.keys(first.result.inputRequests)).toEqual(["name", "age"]);
    expect(JSON.parse(textOf(second) ?? "")).toEqual([accept({ name: "Ada" }), accept({ age: 36 })]);
    expect(errors).toEqual([]);
  });

  test("make the outcome, although the handler has returned", async () => {
    const { server, errors } = createServer();
    server.tool("ask", {}, (_, { elicit }) => {
      void elicit({ message: "Name?", schema: NAME_SCHEMA, key: "name" });
      return "done";
    });

    const first = await send(server);
    const second = await reply(server, first, answerEither);

    expect(first.result.resultType).toBe("input_required");
    expect(textOf(second)).toBe("done");
    expect(errors).toEqual([]);
  });

  test("are put together by ask, under their names", async () => {
    const { server } = createServer();
    server.tool("ask", {}, async (_, { ask }) => {
      const { name, draft, where } = await ask({
        name: { elicit: { message: "Name?", schema: NAME_SCHEMA } },
        draft: { sample: { messages: [{ role: "user", content: { type: "text", text: "Hi" } }], maxTokens: 5 } },
        where: { roots: {} },
      });
      return `${name.action} ${draft.model} ${where.roots[0]?.uri}`;
    });
    const answers: Record<string, unknown> = {
      name: accept({ name: "Ada" }),
      draft: { role: "assistant", content: { type: "text", text: "Hello" }, model: "m" },
      where: { roots: [{ uri: "file:///w" }] },
    };

    const first = await send(server);
    const second = await reply(server, first, (key) => answers[key]);

    expect(first.result.inputRequests).toMatchObject({
      name: { method: "elicitation/create" },
      draft: { method: "sampling/createMessage" },
      where: { method: "roots/list" },
    });
    expect(textOf(second)).toBe("accept m file:///w");
  });
});

describe("a suspension", () => {
  test("that is swallowed changes nothing, and is told to the owner", async () => {
    const { server, errors } = createServer();
    server.tool("ask", {}, async (_, { elicit }) => {
      const answer = await elicit({ message: "Name?", schema: NAME_SCHEMA }).catch(() => undefined);
      return answer === undefined ? "nobody" : "somebody";
    });

    const first = await send(server);

    expect(first.result.resultType).toBe("input_required");
    expect(errors).toMatchObject([{ code: "input_required" }]);
    expect(textOf(await reply(server, first, answerEither))).toBe("somebody");
    expect(errors).toHaveLength(1);
  });

  test("that is replaced by another error changes nothing, and the owner learns of the error", async () => {
    const { server, errors } = createServer();
    const other = new Error("other");
    server.tool("ask", {}, async (_, { elicit }) => {
      await elicit({ message: "Name?", schema: NAME_SCHEMA }).catch(() => Promise.reject(other));
      return "";
    });

    const { result } = await send(server);

    expect(result.resultType).toBe("input_required");
    expect(errors).toMatchObject([{ code: "input_required", cause: other }]);
  });

  test("may pass as the cause of another error", async () => {
    const { server, errors } = createServer();
    server.tool("ask", {}, async (_, { elicit }) => {
      try {
        await elicit({ message: "Name?", schema: NAME_SCHEMA });
      } catch (cause) {
        throw new Error("wrapped", { cause });
      }
      return "";
    });

    expect((await send(server)).result.resultType).toBe("input_required");
    expect(errors).toEqual([]);
  });

  test("aborts the signal, whenever the handler took it", async () => {
    const { server } = createServer();
    const seen: boolean[] = [];
    server.tool("ask", {}, async (_, context) => {
      const early = context.signal;
      try {
        await context.elicit({ message: "Name?", schema: NAME_SCHEMA });
      } finally {
        seen.push(early.aborted, context.signal.aborted);
      }
      return "";
    });

    await send(server);

    expect(seen).toEqual([true, true]);
  });

  test("is what later calls of the context give", async () => {
    const { server } = createServer();
    const later: unknown[] = [];
    server.tool("ask", {}, async (_, context) => {
      const suspension = await context
        .elicit({ message: "Name?", schema: NAME_SCHEMA })
        .catch((error: unknown) => error);
      const calls = [
        context.elicit({ message: "Age?", schema: AGE_SCHEMA }),
        context.listRoots(),
        context.once("work", () => "done"),
        context.progress(1),
        context.log("error", "late"),
      ];
      for (const call of calls) later.push(await Promise.resolve(call).catch((error: unknown) => error === suspension));
      throw suspension;
    });

    const { result } = await send(server, { meta: { progressToken: 1, "io.modelcontextprotocol/logLevel": "debug" } });

    expect(later).toEqual([true, true, true, true, true]);
    expect(Object.keys(result.inputRequests)).toHaveLength(1);
  });

  test("harms nobody who does not wait for it", async () => {
    const { server, errors } = createServer();
    server.tool("ask", {}, async (_, context) => {
      void context.elicit({ message: "Name?", schema: NAME_SCHEMA });
      await settled();
      void context.progress(1);
      void context.sample({ messages: [], maxTokens: 0 });
      return "done";
    });

    expect((await send(server, { meta: { progressToken: 1 } })).result.resultType).toBe("input_required");
    await settled();
    expect(errors).toHaveLength(1);
  });
});

describe("the key of a question", () => {
  test("is the same in every run, in whatever order questions come", async () => {
    const { server } = createServer();
    let runs = 0;
    server.tool("ask", {}, async (_, { elicit }) => {
      runs += 1;
      const askName = async (): Promise<unknown> => elicit({ message: "Name?", schema: NAME_SCHEMA });
      const askAge = async (): Promise<unknown> => elicit({ message: "Age?", schema: AGE_SCHEMA });
      if (runs % 2 === 0) return JSON.stringify((await Promise.all([askAge(), askName()])).reverse());
      return JSON.stringify(await Promise.all([askName(), askAge()]));
    });

    const first = await send(server);
    const second = await reply(server, first, (_, { params }) =>
      accept(params.message === "Age?" ? { age: 36 } : { name: "Ada" }),
    );

    expect(JSON.parse(textOf(second) ?? "")).toEqual([accept({ name: "Ada" }), accept({ age: 36 })]);
  });

  test("tells the same question asked twice apart", async () => {
    const { server } = createServer();
    server.tool("ask", {}, async (_, { elicit }) => {
      const question = { message: "Name?", schema: NAME_SCHEMA, key: "name" };
      const first = await elicit(question);
      const second = await elicit(question);
      return JSON.stringify([first, second]);
    });

    const one = await send(server);
    const two = await reply(server, one, () => accept({ name: "Ada" }));
    const three = await reply(server, two, () => accept({ name: "Bob" }));

    expect(Object.keys(two.result.inputRequests)).toEqual(["name-2"]);
    expect(JSON.parse(textOf(three) ?? "")).toEqual([accept({ name: "Ada" }), accept({ name: "Bob" })]);
  });

  test("drops its answer when the code asks something else by then", async () => {
    const { server } = createServer();
    const tool = server.tool("ask", {}, async (_, { elicit }) => {
      await elicit({ message: "Delete the copy?", schema: NAME_SCHEMA, key: "sure" });
      return "deleted";
    });
    const first = await send(server);
    tool.update({
      handler: async (_, { elicit }) => {
        await elicit({ message: "Delete everything?", schema: NAME_SCHEMA, key: "sure" });
        return "deleted";
      },
    });

    const second = await reply(server, first, answerEither);
    const third = await reply(server, second, answerEither);

    expect(second.result.inputRequests.sure.params.message).toBe("Delete everything?");
    expect(textOf(third)).toBe("deleted");
  });

  test.each(["__proto__", "constructor", "toString"])("may be %s", async (key) => {
    const { server } = createServer();
    server.tool("ask", {}, async (_, { elicit }) => {
      const answer = await elicit({ message: "Name?", schema: NAME_SCHEMA, key });
      return answer.action;
    });

    const first = await send(server);
    const responses = JSON.parse(`{${JSON.stringify(key)}:{"action":"decline"}}`);

    expect(textOf(await send(server, { responses, state: first.result.requestState }))).toBe("decline");
  });
});

test("asks step by step, and keeps what was answered before", async () => {
  const { server } = createServer();
  server.tool("ask", {}, async (_, { elicit }) => {
    const given: unknown[] = [];
    for (let step = 1; step <= 12; step += 1) {
      const answer = await elicit({ message: `Step ${step}?`, schema: NAME_SCHEMA });
      given.push(answer.action === "accept" && answer.content.name);
    }
    return given.join(" ");
  });

  let answer = await send(server);
  for (let step = 1; step <= 12; step += 1) answer = await reply(server, answer, () => accept({ name: `n${step}` }));

  expect(textOf(answer)).toBe("n1 n2 n3 n4 n5 n6 n7 n8 n9 n10 n11 n12");
});

describe("notices of a run that catches up", () => {
  test("are not sent twice", async () => {
    const { server } = createServer();
    server.tool("ask", {}, async (_, { elicit, progress, log }) => {
      await progress(1);
      await log("info", "before");
      await elicit({ message: "Name?", schema: NAME_SCHEMA, key: "name" });
      await log("info", "after");
      await progress(2);
      return "done";
    });
    const sent: unknown[][] = [[], []];
    const round = (index: number): object => ({
      meta: { progressToken: 1, "io.modelcontextprotocol/logLevel": "debug" },
      options: {
        send: ({ params }: JsonRpcNotification) => void sent[index]?.push(params?.data ?? params?.progress),
      },
    });

    const first = await send(server, round(0));
    await reply(server, first, answerEither, round(1));

    expect(sent).toEqual([
      [1, "before"],
      ["after", 2],
    ]);
  });
});
