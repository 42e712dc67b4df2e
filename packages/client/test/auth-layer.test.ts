import type { AuthAnswer, Authorizer, AuthRefusal, HttpOptions, ProtectedRequest } from "@mortise/client";
import { MortiseError } from "@mortise/core";
import { describe, expect, test } from "vitest";
import { type FakeServer, type Reply, startFake } from "./fake-http.js";
import { serveLegacy } from "./legacy-server.js";
import { serveModern } from "./modern-server.js";
import { collectProblems, failureOf, openClient, pause } from "./open-client.js";

const OLD = "Bearer old-credential";
const NEW = "Bearer new-credential";

/** Lets requests with one credential pass, and refuses all others. */
function guard(
  script: (reply: Reply) => void,
  refuse: (reply: Reply) => void = (reply) => reply.status(401, "who are you?", { "www-authenticate": "Bearer" }),
): (reply: Reply) => void {
  return (reply) => (reply.request.headers.authorization === NEW ? script(reply) : refuse(reply));
}

function bearer(value: string): { readonly headers: Record<string, string> } {
  return { headers: { Authorization: value } };
}

/** Has no credential until the first refusal. */
function renewing(
  work: (refusal: AuthRefusal, signal: AbortSignal) => Promise<boolean> = async () => true,
): Authorizer {
  let current: string | undefined;
  return {
    authorize: () => (current === undefined ? undefined : bearer(current)),
    async refused(refusal, signal) {
      const again = await work(refusal, signal);
      if (again) current = NEW;
      return again;
    },
  };
}

function countOf(fake: FakeServer, name: string): number[] {
  return fake.log.map(
    ({ rawHeaders }) => rawHeaders.filter((entry, at) => at % 2 === 0 && entry.toLowerCase() === name).length,
  );
}

describe("credentials", () => {
  const inputs: [string, HttpOptions["headers"]][] = [
    ["an object", { Authorization: OLD, "X-Team": "7" }],
    ["a Headers", new Headers({ Authorization: OLD, "X-Team": "7" })],
    [
      "pairs in another spelling",
      [
        ["AUTHORIZATION", OLD],
        ["x-team", "7"],
      ],
    ],
  ];
  test.each(inputs)("take the place of what was configured as %s, on every request", async (_, headers) => {
    const fake = await startFake(guard(serveLegacy({ sessions: ["s1"], overrides: { GET: holdOpen } })));
    const auth: Authorizer = { authorize: async () => ({ headers: { authorization: NEW } }) };
    const client = openClient({ url: fake.url, headers, auth, listen: true });

    await client.connect();
    await until(() => fake.methods().includes("GET"));
    await client.close();

    expect(new Set(fake.log.map(({ method }) => method))).toEqual(new Set(["POST", "GET", "DELETE"]));
    for (const { headers } of fake.log) expect(headers).toMatchObject({ authorization: NEW, "x-team": "7" });
    expect(new Set(countOf(fake, "authorization"))).toEqual(new Set([1]));
    expect(new Set(countOf(fake, "x-team"))).toEqual(new Set([1]));
  });

  test.each<[string, (given: HeadersInit | undefined) => HeadersInit]>([
    ["spreads what it gets", (given) => ({ ...(given as Record<string, string>), authorization: NEW })],
    ["sets a header", setCredential],
  ])("are sent once, with everything else, through a fetch that adds them again and %s", async (_, add) => {
    const fake = await startFake(guard(serveLegacy({ sessions: ["s1"], overrides: { GET: holdOpen } })));
    const own: typeof fetch = (input, init) => fetch(input, { ...init, headers: add(init?.headers) });
    const auth: Authorizer = { authorize: () => bearer(NEW) };
    const client = openClient({ url: fake.url, headers: { "X-Team": "7" }, auth, fetch: own, listen: true });

    await client.connect();
    await until(() => fake.methods().includes("GET"));
    await client.close();

    expect(new Set(fake.log.map(({ method }) => method))).toEqual(new Set(["POST", "GET", "DELETE"]));
    for (const { headers } of fake.log) expect(headers).toMatchObject({ authorization: NEW, "x-team": "7" });
    expect(new Set(countOf(fake, "authorization"))).toEqual(new Set([1]));
  });

  test("that are at hand do not make the first request wait", async () => {
    const fake = await startFake(guard(serveModern()));
    const client = openClient({ url: fake.url, auth: { authorize: () => bearer(NEW) } });

    const result = await client.callTool("echo", { text: "hi" });

    expect(result.text).toBe("hi");
  });

  test("that are not to be had let the request go without", async () => {
    const fake = await startFake(serveModern());
    const client = openClient({ url: fake.url, auth: { authorize: () => undefined } });

    await client.connect();

    expect(fake.log[0]?.headers).not.toHaveProperty("authorization");
  });

  test.each([
    ["a login failure as it is", new MortiseError("login_denied", "No"), "login_denied"],
    ["anything else as a lack of authorization", new Error("boom"), "unauthorized"],
  ])("that cannot be got give %s", async (_, failure, code) => {
    const fake = await startFake(serveModern());
    const authorize: Authorizer["authorize"] = () => {
      throw failure;
    };
    const client = openClient({ url: fake.url, auth: { authorize } });

    expect(await failureOf(client.connect())).toMatchObject({ code });
    expect(await failureOf(openClient({ url: fake.url, auth: rejecting(failure) }).connect())).toMatchObject({ code });
    expect(fake.log).toEqual([]);
  });

  test("are hidden where the server repeats them", async () => {
    const fake = await startFake((reply) => reply.status(500, `no good: ${reply.request.headers.authorization}`));
    const client = openClient({ url: fake.url, auth: { authorize: () => bearer(NEW) } });

    const error = await failureOf(client.connect());

    expect(`${error.message}${JSON.stringify(error.cause)}`).not.toContain("new-credential");
  });

  test.each([
    [
      "its challenge",
      (reply: Reply, echo: string) => reply.status(401, "", { "www-authenticate": `Bearer x="${echo}"` }),
    ],
    ["an error of the protocol", (reply: Reply, echo: string) => reply.error(-32_000, echo, { status: 401 })],
    ["a body that is cut within them", (reply: Reply, echo: string) => reply.status(403, "x".repeat(985) + echo)],
  ])("are hidden where the server repeats them in %s", async (_, answer) => {
    const fake = await startFake((reply) => answer(reply, String(reply.request.headers.authorization)));
    const client = openClient({ url: fake.url, auth: { authorize: () => bearer(NEW) } });

    const error = await failureOf(client.callTool("echo", { text: "hi" }));

    expect(error.code).toBe("unauthorized");
    expect(`${error.message}${JSON.stringify(error.cause)}`).not.toContain("new-c");
  });
});

describe("a refused request", () => {
  test("is sent again with what the authorizer has got since", async () => {
    const seen: AuthRefusal[] = [];
    const fake = await startFake(
      guard(serveModern(), (reply) =>
        reply.status(401, "no", { "www-authenticate": ["Basic", 'Bearer realm="x"'] as never }),
      ),
    );
    const auth = renewing(async (refusal) => seen.push(refusal) > 0);
    const client = openClient({ url: fake.url, auth });

    const result = await client.callTool("echo", { text: "hi" });

    expect(result.text).toBe("hi");
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ status: 401, attempts: 1, method: "POST", credentials: undefined });
    expect(seen[0]?.server.href).toBe(fake.url);
    expect(seen[0]?.header("www-authenticate")).toBe('Basic, Bearer realm="x"');
  });

  test("stays refused when the authorizer has nothing better", async () => {
    const fake = await startFake(guard(serveModern()));
    const client = openClient({ url: fake.url, auth: renewing(async () => false) });

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "unauthorized" });
    expect(error.message).toContain("who are you?");
    expect(fake.log).toHaveLength(1);
  });

  test("is given up after a few attempts, whatever the authorizer says", async () => {
    const fake = await startFake(guard(serveModern()));
    const auth: Authorizer = { authorize: () => bearer(OLD), refused: async () => true };
    const client = openClient({ url: fake.url, auth });

    expect(await failureOf(client.connect())).toMatchObject({ code: "unauthorized" });
    expect(fake.log.length).toBeLessThanOrEqual(8);
  });

  test.each([
    [
      "that is larger than any explanation",
      (reply: Reply) => void reply.response.writeHead(401).end("x".repeat(200_000)),
    ],
    ["that never ends", (reply: Reply) => void reply.response.writeHead(401).write("wait")],
    [
      "that breaks off",
      (reply: Reply) => {
        reply.response.writeHead(401, { "content-length": "100" }).write("x");
        setTimeout(() => reply.response.destroy(), 10);
      },
    ],
  ])("with a body %s is sent again all the same", async (_, refuse) => {
    const fake = await startFake(guard(serveModern(), refuse));
    const client = openClient({ url: fake.url, auth: renewing() });

    const result = await client.callTool("echo", { text: "hi" });

    expect(result.text).toBe("hi");
  });

  test("with 403 is shown to the authorizer too", async () => {
    const statuses: number[] = [];
    const fake = await startFake(guard(serveModern(), (reply) => reply.status(403)));
    const client = openClient({ url: fake.url, auth: renewing(async ({ status }) => statuses.push(status) > 0) });

    await client.connect();

    expect(statuses).toEqual([403]);
  });

  test("that ends a session is not worth a login", async () => {
    const fake = await startFake(
      guard(serveLegacy({ sessions: ["s1"], overrides: { DELETE: (reply) => reply.status(401) } })),
    );
    const methods: string[] = [];
    const auth = renewing(async ({ method }) => methods.push(method) > 0);
    const client = openClient({ url: fake.url, auth });
    await client.connect();

    await client.close();

    expect(fake.methods().at(-1)).toBe("DELETE");
    expect(methods).toEqual(["POST"]);
  });

  test("rejects with what the authorizer rejects with", async () => {
    const fake = await startFake(guard(serveModern()));
    const auth = renewing(async () => {
      throw new MortiseError("login_failed", "The login server is down");
    });

    expect(await failureOf(openClient({ url: fake.url, auth }).connect())).toMatchObject({ code: "login_failed" });
  });
});

describe("while the authorizer works", () => {
  test("the timeout of the request is held", async () => {
    const fake = await startFake(guard(serveModern()));
    const auth = renewing(() => pause(300).then(() => true));
    const client = openClient({ url: fake.url, auth, timeout: 200 });

    const result = await client.callTool("echo", { text: "hi" });

    expect(result.text).toBe("hi");
  });

  test("the total time of the request runs on", async () => {
    const fake = await startFake(serveModern({ "tools/call": (reply) => reply.status(401) }));
    const auth: Authorizer = { authorize: () => undefined, refused: () => new Promise(() => undefined) };
    const client = openClient({ url: fake.url, auth });
    await client.connect();

    const error = await failureOf(client.callTool("echo", {}, { timeout: 50, maxTotalTimeout: 150 }));

    expect(error).toMatchObject({ name: "MCPTimeoutError", timeoutMs: 150 });
  });

  test("a caller that gives up tells it so, and is not sent again", async () => {
    const fake = await startFake(serveModern({ "tools/call": (reply) => reply.status(401) }));
    const caller = new AbortController();
    let aborted = false;
    let finish = (_: boolean): void => undefined;
    const auth: Authorizer = {
      authorize: () => undefined,
      refused: (_, signal) => {
        signal.addEventListener("abort", () => {
          aborted = true;
        });
        caller.abort();
        return new Promise((resolve) => {
          finish = resolve;
        });
      },
    };
    const client = openClient({ url: fake.url, auth });
    await client.connect();

    const error = await failureOf(client.callTool("echo", {}, { signal: caller.signal }));
    finish(true);
    await pause(20);

    expect(error).toMatchObject({ code: "aborted" });
    expect(aborted).toBe(true);
    expect(fake.methods().filter((method) => method === "tools/call")).toHaveLength(1);
  });

  test("closing the client ends the wait", async () => {
    const fake = await startFake(guard(serveModern()));
    let asked = (): void => undefined;
    const asking = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const auth = renewing(() => {
      asked();
      return new Promise(() => undefined);
    });
    const client = openClient({ url: fake.url, auth });
    const failure = failureOf(client.connect());
    await asking;

    await client.close();

    expect(await failure).toMatchObject({ code: "connection_closed" });
  });

  test("one signal stands for all attempts at a request", async () => {
    const signals = new Set<AbortSignal>();
    const fake = await startFake(guard(serveModern({ "tools/call": (reply) => reply.status(401) })));
    const auth: Authorizer = {
      authorize: (_, signal) => {
        signals.add(signal);
        return bearer(NEW);
      },
      refused: async ({ attempts }, signal) => {
        signals.add(signal);
        return attempts < 3;
      },
    };
    const client = openClient({ url: fake.url, auth });
    await client.connect();
    signals.clear();

    await failureOf(client.callTool("echo", {}));

    expect(signals.size).toBe(1);
  });
});

describe("answers", () => {
  test("are told to the authorizer, refusals apart", async () => {
    const answers: AuthAnswer[] = [];
    const subjects = new Set<ProtectedRequest["server"]>();
    const fake = await startFake(guard(serveModern()));
    const auth: Authorizer = {
      ...renewing(),
      answered: (answer) => {
        subjects.add(answer.server);
        answers.push(answer);
      },
    };
    const client = openClient({ url: fake.url, auth });

    await client.connect();

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.header("content-type")).toBe("application/json");
  });

  test("reach the caller even when the authorizer fails over them", async () => {
    const { problems, onError } = collectProblems();
    const fake = await startFake(serveModern());
    const auth: Authorizer = {
      authorize: () => undefined,
      answered: () => {
        throw new Error("boom");
      },
    };
    const client = openClient({ url: fake.url, auth, onError });

    await client.connect();

    expect(problems.map(({ message }) => message)).toContain("boom");
  });
});

function setCredential(given: HeadersInit | undefined): Headers {
  const headers = new Headers(given);
  headers.set("authorization", NEW);
  return headers;
}

function rejecting(failure: Error): Authorizer {
  return { authorize: () => Promise.reject(failure) };
}

function holdOpen(reply: Reply): void {
  reply.response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(5);
}
