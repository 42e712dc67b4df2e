import { describe, expect, test } from "vitest";
import { startExample } from "./example-process.js";

const TOOLS = ["greet", "show_content", "count", "fail", "slow"];

const REVISIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

describe.each(REVISIONS)("in the words of %s", (revision) => {
  test("greets, as structured content where there is such a thing, and as text", async () => {
    const example = await startExample(revision);

    const { result } = await example.ask("tools/call", { name: "greet", arguments: { name: "Ada" } });

    const structured = { message: "Hello, Ada!" };
    expect(result).toMatchObject({ content: [{ type: "text", text: JSON.stringify(structured) }] });
    expect(result?.structuredContent).toEqual(revision < "2025-06-18" ? undefined : structured);
  });

  test("shows every kind of content in a form the revision knows", async () => {
    const example = await startExample(revision);

    const { result } = await example.ask("tools/call", { name: "show_content" });

    const audio = revision < "2025-03-26" ? "resource" : "audio";
    const link = revision < "2025-06-18" ? "text" : "resource_link";
    expect(result?.content).toMatchObject(["text", "image", audio, "resource", link].map((type) => ({ type })));
  });
});

describe.each(["2026-07-28", "2025-11-25"])("on %s", (revision) => {
  test("lists its tools", async () => {
    const example = await startExample(revision);

    const { result } = await example.ask("tools/list");

    expect(result?.tools).toMatchObject(TOOLS.map((name) => ({ name, inputSchema: { type: "object" } })));
  });

  test("reports progress to a caller that asked for it", async () => {
    const example = await startExample(revision);

    const { result } = await example.ask(
      "tools/call",
      { name: "count", arguments: { to: 3, stepMs: 1 } },
      { progressToken: "p" },
    );

    const steps = example.messages.filter(({ method }) => method === "notifications/progress");
    expect(steps.map(({ params }) => params)).toMatchObject(
      [1, 2, 3].map((progress) => ({ progressToken: "p", progress, total: 3 })),
    );
    expect(result).toMatchObject({ content: [{ text: "Counted to 3" }] });
  });

  test("fails in a way the model can read", async () => {
    const example = await startExample(revision);

    const { result } = await example.ask("tools/call", { name: "fail", arguments: { reason: "no luck" } });

    expect(result).toMatchObject({ isError: true, content: [{ type: "text", text: "no luck" }] });
  });

  test("tells unknown tools, wrong arguments and unknown methods apart", async () => {
    const example = await startExample(revision);

    const unknown = await example.ask("tools/call", { name: "nothing" });
    const wrong = await example.ask("tools/call", { name: "greet", arguments: { name: 1 } });
    const method = await example.ask("nothing/at-all");

    expect(unknown.error?.code).toBe(-32602);
    expect(wrong.result).toMatchObject({ isError: true });
    expect(method.error?.code).toBe(-32601);
  });

  test("stops the slow tool when it is cancelled, and answers nothing", async () => {
    const example = await startExample(revision);
    const id = example.send("tools/call", { name: "slow" });

    example.notify("notifications/cancelled", { requestId: id });
    await example.ask("tools/list");
    const code = await example.end(); // waits for calls under way, so an early end shows that none is

    expect(code).toBe(0);
    expect(example.messages.some((message) => message.id === id)).toBe(false);
  });

  test("survives a malformed line", async () => {
    const example = await startExample(revision);

    example.write('{"jsonrpc":');
    const refusal = await example.find(({ error }) => error !== undefined);
    const { result } = await example.ask("tools/call", { name: "greet", arguments: { name: "Ada" } });

    expect(refusal.error?.code).toBe(-32700);
    expect(result?.isError).toBeUndefined();
  });

  test("ends when its input does, after the answers it owes", async () => {
    const example = await startExample(revision);
    const id = example.send("tools/call", { name: "count", arguments: { to: 3, stepMs: 50 } });

    const code = await example.end();

    expect(code).toBe(0);
    expect(example.messages.find((message) => message.id === id)?.result).toMatchObject({
      content: [{ text: "Counted to 3" }],
    });
  });
});

test("is discovered by modern clients", async () => {
  const example = await startExample("2026-07-28");

  const { result } = await example.ask("server/discover");

  expect(result).toMatchObject({
    resultType: "complete",
    supportedVersions: expect.arrayContaining(["2026-07-28"]),
    capabilities: { tools: {} },
  });
});
