import { memoryStore, oauth, type Redirect } from "@mortise/client/oauth";
import { describe, expect, test } from "vitest";
import { serveModern } from "../modern-server.js";
import { failureOf, openClient, pause } from "../open-client.js";
import { createHandRedirect, startByHand, toUrl } from "./hand-redirect.js";
import { challenge, startWorld } from "./login-world.js";

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

  test("that is given up before it has begun asks nobody for anything", async () => {
    const { world, auth } = await startByHand();
    const caller = new AbortController();
    const login = failureOf(auth.login(world.server.url, { signal: caller.signal }));

    caller.abort();

    expect(await login).toMatchObject({ code: "aborted" });
    await pause(50);
    expect(world.log).toEqual([]);
    expect(world.server.log).toEqual([]);
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

describe("a login that hangs in what the program gave", () => {
  test("leaves the way free for the next one", async () => {
    const world = await startWorld({ metadata: { registration_endpoint: undefined } });
    const caller = new AbortController();
    let questions = 0;
    const auth = oauth({
      redirect: world.redirect,
      async askForClient() {
        questions += 1;
        if (questions > 1) return { clientId: "told" };
        caller.abort();
        return new Promise(() => undefined);
      },
    });

    const first = await failureOf(auth.login(world.server.url, { signal: caller.signal }));
    await auth.login(world.server.url);

    expect(first).toMatchObject({ code: "aborted" });
    expect(world.authorizations()[0]?.get("client_id")).toBe("told");
  });

  test("closes what opens too late", async () => {
    const world = await startWorld();
    const caller = new AbortController();
    let open = (): void => undefined;
    let closed = 0;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const redirect: Redirect = {
      ...world.redirect,
      async open(login) {
        caller.abort();
        await opened;
        const late = await world.redirect.open(login);
        return {
          ...late,
          close() {
            closed += 1;
          },
        };
      },
    };
    await failureOf(oauth({ redirect }).login(world.server.url, { signal: caller.signal }));

    open();
    await pause(10);

    expect(closed).toBe(1);
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
