import { inspect } from "node:util";
import { memoryStore, type OAuthOptions, oauth, pageRedirect } from "@mortise/client/oauth";
import { describe, expect, test } from "vitest";
import { collectProblems, failureOf, openClient, pause } from "../open-client.js";
import { startByHand, toUrl } from "./hand-redirect.js";
import { CALLBACK, challenge, follow, startWorld } from "./login-world.js";

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

test("a login that another authorizer with the same store finishes is over", async () => {
  const store = memoryStore();
  const { world, redirect, auth } = await startByHand({ store });
  const login = auth.login(world.server.url);
  await redirect.shown(1);
  const answer = await follow(redirect.pages[0]?.url ?? new URL(CALLBACK));

  await oauth({ redirect, store }).finish(toUrl(answer));
  await login;

  expect(redirect.closed()).toBe(1);
  expect(world.tokenRequests()).toHaveLength(1);
});

test("a path with the answer is finished like a whole address", async () => {
  const store = memoryStore();
  const { world, redirect, auth } = await startByHand({ store });
  const login = auth.login(world.server.url);
  await redirect.shown(1);
  const answer = await follow(redirect.pages[0]?.url ?? new URL(CALLBACK));

  expect((await auth.finish(`/callback?${answer}`))?.href).toBe(world.server.url);
  await login;
});

test("what is no address is refused without being shown", async () => {
  const failure = await failureOf(oauth().finish("http://[?code=c0de&state=s"));

  expect(failure).toMatchObject({ code: "invalid_options" });
  expect(inspect(failure)).not.toContain("c0de");
});
