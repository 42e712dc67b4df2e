import { inputRequired, type MCPServer } from "@mortise/server";
import * as z from "zod";

const CAPITAL = {
  messages: [{ role: "user", content: { type: "text", text: "What is the capital of France?" } }],
  maxTokens: 100,
} as const;
const NAME = { message: "What is your name?", schema: z.object({ name: z.string() }) };

/**
 * Tools that modern clients answer by calling again. A key names the question in the client's answer; what the tool needs
 * to go on travels through the client as sealed state.
 */
export function addRoundTripTools(server: MCPServer): void {
  server.tool("test_input_required_result_elicitation", { description: "Asks for a name" }, async (_args, ctx) => {
    const answer = await ctx.elicit({ key: "user_name", ...NAME });
    return answer.action === "accept" ? `Hello, ${answer.content.name}!` : "Hello, whoever you are!";
  });

  server.tool("test_input_required_result_sampling", { description: "Asks a model" }, async (_args, ctx) => {
    const { content } = await ctx.sample({ key: "capital_question", ...CAPITAL });
    return `The model said: ${JSON.stringify(content)}`;
  });

  server.tool("test_input_required_result_list_roots", { description: "Asks for folders" }, async (_args, ctx) => {
    const { roots } = await ctx.listRoots({ key: "client_roots" });
    return `Roots: ${roots.map(({ uri }) => uri).join(", ")}`;
  });

  // All three at once: the client can answer them in any order, and in one go.
  server.tool(
    "test_input_required_result_multiple_inputs",
    { description: "Asks three things at once" },
    async (_args, ctx) => {
      const answers = await ctx.ask({
        user_name: { elicit: NAME },
        capital_question: { sample: CAPITAL },
        client_roots: { roots: {} },
      });
      return `Answered: ${Object.keys(answers).join(", ")}`;
    },
  );

  // One after the other: the second question can depend on the first answer.
  server.tool("test_input_required_result_multi_round", { description: "Asks twice" }, async (_args, ctx) => {
    const first = await ctx.elicit({ key: "step1", ...NAME });
    const name = first.action === "accept" ? first.content.name : "friend";
    const color = z.object({ color: z.string() });
    const second = await ctx.elicit({ key: "step2", message: `What is your favorite color, ${name}?`, schema: color });
    return `${name} likes ${second.action === "accept" ? second.content.color : "nothing"}.`;
  });

  // Asks only what this client can answer.
  server.tool("test_input_required_result_capabilities", { description: "Asks what it can" }, async (_args, ctx) => {
    if (ctx.can("elicit.form")) await ctx.elicit({ key: "user_name", ...NAME });
    if (ctx.can("sample")) await ctx.sample({ key: "capital_question", ...CAPITAL });
    return "Asked everything that could be answered.";
  });

  addExplicitTools(server);
}

/** The same without a suspended handler: it returns what it wants to know, and is called with the answers. */
function addExplicitTools(server: MCPServer): void {
  const confirm = {
    method: "elicitation/create",
    params: {
      message: "Please confirm",
      requestedSchema: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
    },
  } as const;

  server.tool(
    "test_input_required_result_request_state",
    { description: "Keeps its state in the client" },
    (_args, ctx) => {
      if (ctx.inputState === undefined)
        return inputRequired({ inputRequests: { confirm }, state: { askedAt: "the first call" } });
      return "state-ok";
    },
  );

  server.tool(
    "test_input_required_result_tampered_state",
    { description: "Refuses state that was changed on the way" },
    (_args, ctx) => {
      if (ctx.inputState === undefined) return inputRequired({ inputRequests: { confirm }, state: { step: 1 } });
      return "The state came back as it was.";
    },
  );
}
