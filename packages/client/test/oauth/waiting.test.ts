import { memoryStore, type OAuth, type OAuthOptions, oauth, pageRedirect, type Redirect } from "@mortise/client/oauth";
import { describe, expect, test } from "vitest";
import { serveModern } from "../modern-server.js";
import { collectProblems, failureOf, openClient, pause } from "../open-client.js";
import { CALLBACK, challenge, follow, startWorld, type World } from "./login-world.js";

/** A login page that a test answers by hand. */
interface ShownPage {
  readonly url: URL;
  readonly signal: AbortSignal;
  /** The user says yes. */
  agree(): Promise<URLSearchParams>;
}

interface HandRedirect extends Redirect {
  readonly pages: ShownPage[];
  closed(): number;
  /** Resolves once so many pages were shown. */
  shown(count: number): Promise<void>;
}

function createHandRedirect(): HandRedirect {
  const pages: ShownPage[] = [];
  let closed = 0;
  return {
    applicationType: "native",
    uris: [CALLBACK],
    pages,
    closed: () => closed,
    async shown(count) {
      while (pages.length < count) await pause(2);
    },
    open: async () => ({
      uri: CALLBACK,
      visit: (url, { signal }) =>
        new Promise((resolve) => {
          const agree = async (): Promise<URLSearchParams> => {
            const answer = await follow(url);
            resolve(answer);
            return answer;
          };
          pages.push({ url, signal, agree });
        }),
      close: () => {
        closed += 1;
      },
    }),
  };
}

async function startByHand(options: OAuthOptions = {}): Promise<{ world: World; redirect: HandRedirect; auth: OAuth }> {
  const world = await startWorld();
  const redirect = createHandRedirect();
  return { world, redirect, auth: oauth({ redirect, ...options }) };
}

function toUrl(answer: URLSearchParams): string {
  return `${CALLBACK}?${answer}`;
}

describe("a login under way", () => {
  test("is joined by every request that needs one", async () => {
    const { world, redirect, auth } = await startByHand();
    const clients = [1, 2, 3, 4].map(() => openClient({ url: world.server.url, auth }));
    const calls = clients.map((client) => client.callTool("echo", { text: "hi" }));
    await redirect.shown(1);
    await pause(50);

    await redirect.pages[0]?.agree();

    expect((await Promise.all(calls)).map(({ text }) => text)).toEqual(["hi", "hi", "hi", "hi"]);
    expect(redirect.pages).toHaveLength(1);
  });

  test("holds the timeouts of the requests that wait for it", async () => {
    const { world, redirect, auth } = await startByHand();
    const client = openClient({ url: world.server.url, auth, timeout: 300 });
    const call = client.callTool("echo", { text: "hi" });
    await redirect.shown(1);
    await pause(400);
    await redirect.pages[0]?.agree();

    expect((await call).text).toBe("hi");
  });

  test("ends when nobody waits for it any more, and not before", async () => {
    const world = await startWorld({
      refuse: (reply, granted) => {
        const isOpen = granted !== undefined || reply.request.message.method !== "tools/call";
        if (isOpen) serveModern()(reply);
        else challenge(reply);
        return true;
      },
    });
    const redirect = createHandRedirect();
    const client = openClient({ url: world.server.url, auth: oauth({ redirect }) });
    await client.connect();
    const callers = [new AbortController(), new AbortController()];
    const calls = callers.map(({ signal }) => failureOf(client.callTool("echo", {}, { signal })));
    await redirect.shown(1);
    await pause(30);

    callers[0]?.abort();
    await pause(10);
    const isKept = redirect.pages[0]?.signal.aborted;
    callers[1]?.abort();
    await Promise.all(calls);
    await pause(10);

    expect(isKept).toBe(false);
    expect(redirect.pages[0]?.signal.aborted).toBe(true);
    expect(redirect.closed()).toBe(1);
  });

  test("ends when its time is over", async () => {
    const { world, redirect, auth } = await startByHand({ loginTimeout: 400 });
    const client = openClient({ url: world.server.url, auth });

    const error = await failureOf(client.callTool("echo", {}));

    expect(error).toMatchObject({ code: "login_failed" });
    expect(error.message).toContain("400 ms");
    expect(redirect.pages.every(({ signal }) => signal.aborted)).toBe(true);
    expect(redirect.closed()).toBe(redirect.pages.length);
  });

  test("can be given up by whoever asked for it", async () => {
    const { world, redirect, auth } = await startByHand();
    const caller = new AbortController();
    const login = failureOf(auth.login(world.server.url, { signal: caller.signal }));
    await redirect.shown(1);

    caller.abort();

    expect(await login).toMatchObject({ code: "aborted" });
    expect(redirect.closed()).toBe(1);
  });

  test("does not stop another one that was asked for: both are redeemed, each with its own record", async () => {
    const { world, redirect, auth } = await startByHand();
    const logins = [auth.login(world.server.url), auth.login(world.server.url)];
    await redirect.shown(2);

    const first = await redirect.pages[0]?.agree();
    await redirect.pages[1]?.agree();
    await Promise.all(logins);
    const replayed = await auth.finish(toUrl(first ?? new URLSearchParams()));

    expect(replayed).toBeUndefined();
    expect(world.tokenRequests("authorization_code")).toHaveLength(2);
    expect(world.granted.size).toBe(2);
  });

  test("that the user left is not waited for by requests once another one has succeeded, and can still be answered", async () => {
    const { world, redirect, auth } = await startByHand();
    const left = auth.login(world.server.url);
    await redirect.shown(1);
    const call = openClient({ url: world.server.url, auth }).callTool("echo", { text: "hi" });
    await pause(50);
    const again = auth.login(world.server.url);
    await redirect.shown(2);

    await redirect.pages[1]?.agree();

    await again;
    expect((await call).text).toBe("hi");
    expect(redirect.pages).toHaveLength(2);
    expect(redirect.pages[0]?.signal.aborted).toBe(false);
    await redirect.pages[0]?.agree();
    await left;
    expect(world.tokenRequests("authorization_code")).toHaveLength(2);
  });

  test("that the program gave up goes on for the requests that wait for it", async () => {
    const { world, redirect, auth } = await startByHand();
    const caller = new AbortController();
    const login = failureOf(auth.login(world.server.url, { signal: caller.signal }));
    await redirect.shown(1);
    const call = openClient({ url: world.server.url, auth }).callTool("echo", { text: "hi" });
    await pause(50);

    caller.abort();
    expect(await login).toMatchObject({ code: "aborted" });
    await redirect.pages[0]?.agree();

    expect((await call).text).toBe("hi");
  });

  test("for a request is no longer needed once another login has succeeded", async () => {
    const { world, redirect, auth } = await startByHand();
    const client = openClient({ url: world.server.url, auth });
    const call = client.callTool("echo", { text: "hi" });
    await redirect.shown(1);
    const login = auth.login(world.server.url);
    await redirect.shown(2);

    await redirect.pages[1]?.agree();

    await login;
    expect((await call).text).toBe("hi");
    expect(redirect.closed()).toBe(2);
  });

  test("in another process that shares the store is waited for", async () => {
    const store = memoryStore();
    const { world, redirect, auth } = await startByHand({ store });
    const other = createHandRedirect();
    const calls = [auth, oauth({ redirect: other, store })].map((one) =>
      openClient({ url: world.server.url, auth: one }).callTool("echo", { text: "hi" }),
    );
    while (redirect.pages.length + other.pages.length === 0) await pause(2);
    await pause(50);

    await (redirect.pages[0] ?? other.pages[0])?.agree();

    expect((await Promise.all(calls)).map(({ text }) => text)).toEqual(["hi", "hi"]);
    expect(redirect.pages.length + other.pages.length).toBe(1);
  });
});

describe("a login that another process finishes", () => {
  test("is found in the store by those who wait here", async () => {
    const store = memoryStore();
    const { world, redirect, auth } = await startByHand({ store });
    const call = openClient({ url: world.server.url, auth }).callTool("echo", { text: "hi" });
    await redirect.shown(1);

    await oauth({ redirect: world.redirect, store }).login(world.server.url);

    expect((await call).text).toBe("hi");
    expect(redirect.closed()).toBe(1);
  });
});

describe("an answer that comes back to a page of its own", () => {
  test("is finished after the page was loaded anew, from what the store has", async () => {
    const world = await startWorld();
    const store = memoryStore();
    const gone: URL[] = [];
    const redirect = pageRedirect({ uri: CALLBACK, navigate: (url) => gone.push(url) });
    const before = oauth({ redirect, store });
    void before.login(world.server.url).catch(() => undefined);
    while (gone.length === 0) await pause(2);
    const answer = await follow(gone[0] ?? new URL(CALLBACK));

    const after = oauth({ redirect, store });
    const server = await after.finish(toUrl(answer));
    const client = openClient({ url: world.server.url, auth: after });
    const result = await client.callTool("echo", { text: "hi" });

    expect(server?.href).toBe(world.server.url);
    expect(result.text).toBe("hi");
    expect(gone).toHaveLength(1);
    expect(await after.finish(toUrl(answer))).toBeUndefined();
    expect(world.tokenRequests()).toHaveLength(1);
  });

  test("ends the wait of this process, when it is the one that waits", async () => {
    const { world, redirect, auth } = await startByHand();
    const login = auth.login(world.server.url);
    await redirect.shown(1);

    const server = await auth.finish(toUrl(await follow(redirect.pages[0]?.url ?? new URL(CALLBACK))));

    await login;
    expect(server?.href).toBe(world.server.url);
    expect(world.tokenRequests()).toHaveLength(1);
  });

  test.each([
    ["without a state", `${CALLBACK}?code=c`],
    ["with a state that nobody gave", `${CALLBACK}?code=c&state=guess`],
    ["with a state named like a built-in member", `${CALLBACK}?code=c&state=__proto__`],
  ])("%s is nobody's", async (_, url) => {
    const { auth } = await startByHand();

    expect(await auth.finish(url)).toBeUndefined();
  });

  test("is not redeemed when it comes from another issuer", async () => {
    const world = await startWorld();
    const store = memoryStore();
    const gone: URL[] = [];
    const redirect = pageRedirect({ uri: CALLBACK, navigate: (url) => gone.push(url) });
    void oauth({ redirect, store })
      .login(world.server.url)
      .catch(() => undefined);
    while (gone.length === 0) await pause(2);
    const answer = await follow(gone[0] ?? new URL(CALLBACK));
    answer.set("iss", "http://127.0.0.1:9");

    expect(await failureOf(oauth({ redirect, store }).finish(toUrl(answer)))).toMatchObject({ code: "login_failed" });
    expect(world.tokenRequests()).toEqual([]);
  });

  test("comes too late once the time of the login is over", async () => {
    const world = await startWorld();
    const store = memoryStore();
    const gone: URL[] = [];
    const redirect = pageRedirect({ uri: CALLBACK, navigate: (url) => gone.push(url) });
    void oauth({ redirect, store })
      .login(world.server.url)
      .catch(() => undefined);
    while (gone.length === 0) await pause(2);
    const answer = await follow(gone[0] ?? new URL(CALLBACK));
    const [[state, login] = []] = Object.entries((await store.get("pending logins")) ?? {});
    await store.set("pending logins", { [state ?? ""]: { ...(login as object), endsAt: Date.now() - 1 } });

    expect(await oauth({ redirect, store }).finish(toUrl(answer))).toBeUndefined();
  });
});

describe("a login up front", () => {
  test("asks for the scopes that it is told, and keeps the server from asking", async () => {
    const world = await startWorld({ resource: { scopes_supported: ["all"] } });
    const auth = oauth({ redirect: world.redirect });
    await auth.login(world.server.url, { scope: "files:read" });
    const client = openClient({ url: world.server.url, auth });

    await client.callTool("echo", {});

    expect(world.authorizations().map((params) => params.get("scope"))).toEqual(["files:read"]);
    expect(world.server.log.filter(({ headers, path }) => path === "/mcp" && !headers.authorization)).toEqual([]);
  });

  test("asks the server what it would say, when it publishes nothing where it should", async () => {
    const world = await startWorld({
      publishesResource: false,
      refuse: (reply, granted, { server, issuer }) => {
        const { origin } = new URL(server.url);
        if (reply.request.path === "/metadata") reply.json({ resource: server.url, authorization_servers: [issuer] });
        else if (granted === undefined) challenge(reply, `resource_metadata="${origin}/metadata"`);
        else return false;
        return true;
      },
    });

    await oauth({ redirect: world.redirect }).login(world.server.url);

    expect(world.tokenRequests()).toHaveLength(1);
  });

  test("is for an address, whatever user and fragment it was written with", async () => {
    const world = await startWorld();
    const auth = oauth({ redirect: world.redirect });
    await auth.login(`${world.server.url.replace("http://", "http://user:pass@")}#part`);

    await openClient({ url: world.server.url, auth }).callTool("echo", {});

    expect(world.visits).toHaveLength(1);
    expect(await failureOf(auth.login("not an address"))).toMatchObject({ code: "invalid_options" });
  });
});

describe("a logout", () => {
  test("forgets the tokens and revokes them", async () => {
    const world = await startWorld();
    const store = memoryStore();
    const auth = oauth({ redirect: world.redirect, store });
    await auth.login(world.server.url);
    const tokens = [...world.refreshTokens.keys(), ...world.granted.keys()];

    await auth.logout(world.server.url);

    const revoked = world.log.filter(({ path }) => path === "/revoke").map(({ params }) => params.get("token"));
    expect(revoked).toEqual(tokens);
    expect(auth.context?.(new URL(world.server.url))).toBeUndefined();
    expect(await store.get(`login ${world.server.url}`)).toBeUndefined();
  });

  test("happens all the same when the authorization server is not there", async () => {
    const { problems, onError } = collectProblems();
    const metadata: Record<string, unknown> = {};
    const world = await startWorld({ metadata });
    metadata.revocation_endpoint = `${world.issuer}/missing`;
    const auth = oauth({ redirect: world.redirect, onError });
    await auth.login(world.server.url);

    await auth.logout(world.server.url);
    await auth.logout(world.server.url);

    expect(auth.context?.(new URL(world.server.url))).toBeUndefined();
    expect(problems).toHaveLength(1);
  });
});

describe("the options of a login", () => {
  test.each([
    ["a store without a lock", { store: { get: async () => undefined } }],
    ["scopes that are no text", { scope: ["a"] }],
    ["a reporter that is no function", { onError: true }],
    ["a time that is none", { loginTimeout: -1 }],
  ])("cannot be %s", (_, options) => {
    expect(() => oauth(options as unknown as OAuthOptions)).toThrow(
      expect.objectContaining({ code: "invalid_options" }),
    );
  });
});
