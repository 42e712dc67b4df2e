import { type FakeServer, type Loose, type Reply, startFake } from "../fake-http.js";
import { DISCOVERED, serveModern } from "../modern-server.js";

/** A server whose results carry cache hints. */
export interface CountingServer extends FakeServer {
  /** How often a method was asked for. */
  count(method: string): number;
}

type Answer = (params: Loose | undefined, reply: Reply) => object | undefined;

/** Everything that can be listed or read. */
export const ABILITIES = { tools: {}, prompts: {}, resources: {} };

/** Starts a modern server that answers with these results, `fresh` unless they say otherwise. */
export async function startCounting(
  answers: Readonly<Record<string, Answer>>,
  hints: object = { ttlMs: 60_000, cacheScope: "private" },
): Promise<CountingServer> {
  const overrides: Record<string, (reply: Reply) => void> = {
    "server/discover": (reply) => reply.result({ ...DISCOVERED, capabilities: ABILITIES, ...hints }),
  };
  for (const [method, answer] of Object.entries(answers)) {
    overrides[method] = (reply) => {
      const result = answer(reply.request.message.params, reply);
      if (result !== undefined) reply.result({ resultType: "complete", ...hints, ...result });
    };
  }
  const fake = await startFake(serveModern(overrides));
  return { ...fake, count: (method) => fake.methods().filter((one) => one === method).length };
}

/** The content of a resource, another one each time. */
export function createReadings(): Answer {
  let readings = 0;
  return (params) => {
    readings += 1;
    return { contents: [{ uri: String(params?.uri), text: `${String(params?.uri)} ${readings}` }] };
  };
}
