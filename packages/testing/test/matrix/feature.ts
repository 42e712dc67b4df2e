import type { JsonObject } from "@mortise/server";
import type { Client, Reply } from "./client.js";
import type { Scene } from "./scene.js";
import type { Stage } from "./server/index.js";

/** What a feature is tried with. */
export interface Talk {
  readonly client: Client;
  readonly scene: Scene;
  readonly stage: Stage;
  /** What opening gave. */
  readonly opened: Reply;
}

/** One thing that clients can do, and what each of them must see of it. */
export interface Feature {
  readonly name: string;
  /** What the client says it can do. @default everything */
  readonly declares?: JsonObject;
  run(talk: Talk): Promise<unknown>;
  seen(scene: Scene): unknown;
}

/** What a client that can do everything says. */
export const EVERYTHING: JsonObject = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
  extensions: { "com.example/echo": {} },
};

/** The members of an object out of a list, for what cannot be told beforehand. */
export function pick(value: JsonObject | undefined, ...members: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([name]) => members.includes(name)));
}

/** The first text of a tool's result. */
export function textOf({ result }: Reply): string | undefined {
  return result?.content?.[0]?.text;
}

/** The number of the error, with the HTTP status it came with. */
export function refusalOf({ status, error }: Reply): JsonObject {
  return { status, code: error?.code };
}
