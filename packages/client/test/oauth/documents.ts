import { createSendGuarded } from "../../src/oauth/guarded-fetch.js";
import type { SendGuarded } from "../../src/oauth/guarded-request.js";
import { type FakeServer, startFake } from "../fake-http.js";

/** An answer: a status, or a document, or a status with a text. */
export type Answer = number | object | readonly [number, string];

/** A server of documents by path; anything else is 404. */
export interface DocumentServer {
  readonly origin: string;
  readonly fake: FakeServer;
  /** The paths that were asked for, in order. */
  paths(): string[];
  /** Changes what is answered. */
  serve(documents: Readonly<Record<string, Answer>>): void;
}

/** Starts a server whose documents are set with `serve`, once its address is known. */
export async function startDocuments(documents: Readonly<Record<string, Answer>> = {}): Promise<DocumentServer> {
  let table = new Map(Object.entries(documents));
  const fake = await startFake((reply) => {
    const answer = table.get(reply.request.path) ?? 404;
    if (typeof answer === "number") reply.status(answer, "<html>no</html>");
    else if (Array.isArray(answer)) reply.status(Number(answer[0]), String(answer[1]));
    else reply.json(answer);
  });
  return {
    origin: `http://127.0.0.1:${fake.port}`,
    fake,
    paths: () => fake.log.map(({ path }) => path),
    serve: (documents) => {
      table = new Map(Object.entries(documents));
    },
  };
}

/** Guarded requests for a server on this machine, as a program on this machine makes them. */
export function sendFor(server: string): SendGuarded {
  return createSendGuarded({ server: new URL(server), hosted: false });
}

export function never(): AbortSignal {
  return new AbortController().signal;
}
