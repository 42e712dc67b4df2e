import { expect, vi } from "vitest";
import {
  createMessage,
  type FeatureClient,
  type FeatureConnection,
  type FeatureTarget,
  ROOTS,
} from "./feature-client.js";
import type { FeatureWay } from "./feature-ways.js";

/** One client on one way. */
export interface FeaturePair {
  readonly client: FeatureClient;
  readonly way: FeatureWay;
}

/** What a feature is tried with. */
export interface Trial {
  readonly connection: FeatureConnection;
  /** What was heard, as "method about". */
  readonly heard: readonly string[];
  /** Lets the user decline from now on. */
  decline(): void;
  /** Connects once more. */
  open(): Promise<FeatureConnection>;
  readonly target: FeatureTarget;
  /** See `FeatureClient`. */
  readonly notFound: number;
}

/** Something of a server that a client can use. */
export interface ServerFeature {
  readonly name: string;
  /** Why a client cannot use it on a way. It is refused there, or has no effect, in the way that `refused` looks for. */
  lacks?(pair: FeaturePair): string | undefined;
  run(trial: Trial): Promise<void>;
  refused?(trial: Trial): Promise<void>;
}

const NO_QUESTIONS = "without sessions or minted ids, legacy clients over HTTP cannot be asked";
const NO_NEWS = "without a stream of changes, legacy clients over HTTP are told of none";
const NO_WATCHING = "without sessions, legacy clients over HTTP cannot watch single resources";
const NO_MEMORY = "without sessions, legacy clients over HTTP get messages of the level that the server chooses";
const NO_SESSIONS = "only legacy clients of HTTP servers that keep sessions have one";
const NO_RESUMPTION = "only streams of legacy sessions can be resumed";
const ACCEPTED = { action: "accept", content: { name: "Ada", gift: true } };

/** Everything that is tried, in the order of the table. */
export const SERVER_FEATURES: readonly ServerFeature[] = [
  {
    name: "resources",
    async run({ connection, notFound }) {
      expect(await connection.listResources()).toEqual(["memo://note", "memo://other"]);
      expect(await connection.listTemplates()).toEqual(["memo://item/{id}"]);
      expect(await connection.read("memo://note")).toBe("a note");
      expect(await connection.read("memo://other")).toBe("AAE=");
      expect(await connection.read("memo://item/2")).toBe("item 2");
      await expect(connection.read("memo://item/9")).rejects.toMatchObject({ code: notFound });
    },
  },
  {
    name: "prompts",
    async run({ connection }) {
      expect(await connection.listPrompts()).toEqual(["greet", "asked"]);
      expect(await connection.getPrompt("greet", { name: "Ada" })).toBe("Hello, Ada");
      await expect(connection.getPrompt("greet")).rejects.toMatchObject({ code: -32602 });
    },
  },
  {
    name: "completion",
    async run({ connection }) {
      expect(await connection.completeLanguage("e", "Ada")).toEqual(["en for Ada"]);
    },
  },
  {
    name: "log level",
    lacks: (pair) => (lacks(pair, "remembers") ? NO_MEMORY : undefined),
    run: async (trial) => expect(await listen(trial)).toEqual(["notifications/message warning"]),
    // The level that was asked for is unknown, and what the server sends on its own includes this.
    refused: async (trial) => expect(await listen(trial)).toEqual(["notifications/message warning"]),
  },
  question("form", "form", ACCEPTED),
  {
    name: "declined form",
    lacks: lackOfQuestions,
    async run({ connection, decline }) {
      decline();
      expect(JSON.parse(await connection.call("ask-form"))).toEqual({ action: "decline" });
    },
    refused: async ({ connection }) => await expect(connection.call("ask-form")).rejects.toThrow(),
  },
  question("page", "page", { action: "accept" }),
  question("sampling", "sample", createMessage()),
  question("sampling with tools", "sample-with-tools", createMessage()),
  question("roots", "roots", ROOTS),
  question("two questions at once", "several", { who: ACCEPTED, where: ROOTS }),
  {
    name: "prompt that asks",
    lacks: lackOfQuestions,
    run: async ({ connection }) => expect(await connection.getPrompt("asked")).toBe("In Work"),
    refused: async ({ connection }) =>
      await expect(connection.getPrompt("asked")).rejects.toMatchObject({ code: -32602 }),
  },
  {
    name: "changed list",
    lacks: (pair) => (lacks(pair, "tells") ? NO_NEWS : undefined),
    async run({ connection, heard }) {
      expect(connection.announcesLists).toBe(true);
      await connection.listen();
      await hearOfChange(connection, heard, "notifications/tools/list_changed tools");
    },
    async refused({ connection, heard }) {
      await connection.call("change");
      expect([connection.announcesLists, heard]).toEqual([false, []]);
    },
  },
  {
    name: "watched resource",
    lacks: (pair) => (lacks(pair, "remembers") ? NO_WATCHING : undefined),
    async run({ connection, heard }) {
      await connection.watch("memo://note");
      await hearOfChange(connection, heard, "notifications/resources/updated memo://note");
      expect(heard).not.toContain("notifications/resources/updated memo://other");
    },
    refused: async ({ connection }) =>
      await expect(connection.watch("memo://note")).rejects.toMatchObject({ code: -32601 }),
  },
  {
    name: "session",
    lacks: lackOfSession,
    async run({ open, target }) {
      const connection = await open();
      const { sessionId } = connection;
      await connection.end();
      await connection.close();
      expect(sessionId).toMatch(/^[\x21-\x7e]{16,}$/);
      expect(await ask(target, "POST", sessionId)).toBe(404);
    },
    refused: expectNoSession,
  },
  {
    name: "lost session",
    lacks: lackOfSession,
    async run({ open, target }) {
      const connection = await open();
      expect(await ask(target, "DELETE", connection.sessionId)).toBe(204);
      await expect(connection.call("poll")).rejects.toThrow();
      await connection.close();
      const again = await open();
      expect(again.sessionId).not.toBe(connection.sessionId);
      expect(await again.call("poll")).toBe("polled");
      await again.close();
    },
    refused: expectNoSession,
  },
  {
    name: "polling",
    lacks: lackOfResumption,
    run: async ({ connection }) => expect(await connection.call("poll")).toBe("polled"),
    refused: async ({ connection }) => expect(await connection.call("poll")).toBe("polled"),
  },
  {
    name: "resumption",
    lacks: lackOfResumption,
    run: async ({ open }) => expect(await (await open()).resume("long")).toBe("at last"),
    // The call is lost with its connection, or never was on a stream that could be: its answer just comes.
    refused: async ({ connection }) => await expect(connection.resume("long")).rejects.toThrow("Expected the call"),
  },
];

/** Whether a legacy client cannot do what modern ones always can. */
function lacks({ client, way }: FeaturePair, ability: "asks" | "tells" | "remembers"): boolean {
  return client.era === "legacy" && !way[ability];
}

function lackOfQuestions(pair: FeaturePair): string | undefined {
  return lacks(pair, "asks") ? NO_QUESTIONS : undefined;
}

function lackOfSession({ client, way }: FeaturePair): string | undefined {
  return way.sessions && client.era === "legacy" ? undefined : NO_SESSIONS;
}

function lackOfResumption({ client, way }: FeaturePair): string | undefined {
  return way.resumes && client.era === "legacy" ? undefined : NO_RESUMPTION;
}

function question(name: string, tool: string, answer: unknown): ServerFeature {
  return {
    name,
    lacks: lackOfQuestions,
    run: async ({ connection }) => expect(JSON.parse(await connection.call(`ask-${tool}`))).toEqual(answer),
    refused: async ({ connection }) => await expect(connection.call(`ask-${tool}`)).rejects.toThrow(),
  };
}

async function listen({ connection, heard }: Trial): Promise<readonly string[]> {
  await connection.call("chatter", { logLevel: "warning" });
  return heard;
}

/** A minted id stands for nothing that could be ended. */
async function expectNoSession({ connection: { sessionId }, target }: Trial): Promise<void> {
  if (sessionId !== undefined) expect(await ask(target, "DELETE", sessionId)).toBe(405);
}

/** The status of a request in a session, whoever it belongs to. */
async function ask(target: FeatureTarget, method: "POST" | "DELETE", session = ""): Promise<number> {
  if (!("url" in target)) throw new Error("Expected an endpoint");
  const headers = {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    "mcp-session-id": session,
  };
  const body = method === "POST" ? { body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }) } : {};
  const response = await fetch(target.url, { method, headers, ...body });
  await response.text();
  return response.status;
}

/** A client may open the stream of its session after it has connected, so that it misses what changes at once. */
async function hearOfChange(connection: FeatureConnection, heard: readonly string[], expected: string): Promise<void> {
  await vi.waitFor(async () => {
    await connection.call("change");
    expect(heard).toContain(expected);
  }, 5_000);
}
