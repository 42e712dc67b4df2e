import { type CredentialStore, memoryStore, type OAuthOptions, oauth } from "@mortise/client/oauth";
import { describe, expect, test } from "vitest";
import type { Reply } from "../fake-http.js";
import { serveModern } from "../modern-server.js";
import { collectProblems, failureOf, openClient, pause } from "../open-client.js";
import { startWorld, type World, type WorldOptions } from "./login-world.js";

const EXPIRES_SOON = { expires_in: 1 };

/** A world with a user who has logged in, and a client that has connected. */
async function startLoggedIn(options: WorldOptions = {}, login: OAuthOptions = {}) {
  const world = await startWorld(options);
  const store = memoryStore();
  const auth = oauth({ redirect: world.redirect, store, ...login });
  const client = openClient({ url: world.server.url, auth });
  await client.connect();
  return { world, store, auth, client };
}

/** From now on no access token that was given is good. */
function expireAll(world: World): void {
  world.granted.clear();
}

/** Makes the token that is kept an hour old, with so much time left, in milliseconds. */
async function age(store: CredentialStore, world: World, leftMs: number): Promise<void> {
  const key = `login ${world.server.url}`;
  const record = await store.get(key);
  const tokens = { ...(record?.tokens as object), expiresAt: Date.now() + leftMs };
  await store.set(key, { ...record, tokens, obtainedAt: Date.now() - 3_600_000 });
}

describe("a token that the server does not take any more", () => {
  test("is refreshed once for all calls that find out at the same time", async () => {
    const { world, client } = await startLoggedIn({ refreshDelay: 20 });
    for (let run = 1; run <= 20; run += 1) {
      expireAll(world);

      const results = await Promise.all(
        Array.from({ length: 6 }, async (_, at) => {
          await pause(Math.random() * 50);
          return client.callTool("echo", { text: String(at) });
        }),
      );

      expect(results.map(({ text }) => text)).toEqual(["0", "1", "2", "3", "4", "5"]);
      expect(world.tokenRequests("refresh_token")).toHaveLength(run);
    }
    expect(world.visits).toHaveLength(1);
  }, 30_000);

  test("is refreshed once for all authorizers that share a store", async () => {
    const { world, store, client } = await startLoggedIn({ refreshDelay: 50 });
    const other = openClient({ url: world.server.url, auth: oauth({ redirect: world.redirect, store }) });
    await other.connect();
    expireAll(world);

    await Promise.all([client.callTool("echo", {}), other.callTool("echo", {})]);

    expect(world.tokenRequests("refresh_token")).toHaveLength(1);
    expect(world.visits).toHaveLength(1);
  });

  test("is not refreshed when somebody else has got another one meanwhile", async () => {
    const { world, store, client } = await startLoggedIn();
    const old = [...world.granted.keys()];
    const other = openClient({ url: world.server.url, auth: oauth({ redirect: world.redirect, store }) });
    expireAll(world);
    await other.callTool("echo", {});

    await client.callTool("echo", {});

    expect(old).toHaveLength(1);
    expect(world.tokenRequests("refresh_token")).toHaveLength(1);
  });

  test("is kept from a caller that gives up, and refreshed for the others", async () => {
    const { world, client } = await startLoggedIn({ refreshDelay: 100 });
    expireAll(world);
    const caller = new AbortController();
    const given = failureOf(client.callTool("echo", {}, { signal: caller.signal }));
    const kept = client.callTool("echo", { text: "hi" });
    setTimeout(() => caller.abort(), 50);

    expect(await given).toMatchObject({ code: "aborted" });
    expect((await kept).text).toBe("hi");
    expect(world.tokenRequests("refresh_token")).toHaveLength(1);
  });

  test("is refreshed to the end even when every caller gives up, as the old refresh token may be spent", async () => {
    const { world, client } = await startLoggedIn({ refreshDelay: 100 });
    expireAll(world);
    const caller = new AbortController();
    const given = failureOf(client.callTool("echo", {}, { signal: caller.signal }));
    setTimeout(() => caller.abort(), 50);
    await given;

    const result = await client.callTool("echo", { text: "hi" });

    expect(result.text).toBe("hi");
    expect(world.tokenRequests("refresh_token")).toHaveLength(1);
    expect(world.visits).toHaveLength(1);
  });

  test("leads to one login when the refresh token is of no use either", async () => {
    const { world, client } = await startLoggedIn();
    expireAll(world);
    world.refreshTokens.clear();

    const results = await Promise.all([1, 2, 3].map((at) => client.callTool("echo", { text: String(at) })));

    expect(results.map(({ text }) => text)).toEqual(["1", "2", "3"]);
    expect(world.tokenRequests("refresh_token")).toHaveLength(1);
    expect(world.visits).toHaveLength(2);
  });

  test("is not replaced, nor the refresh token lost, when the authorization server is down", async () => {
    let isDown = false;
    const { world, client } = await startLoggedIn({
      token: (_, answer) => {
        if (isDown) answer("<h1>Bad Gateway</h1>", 502);
        return isDown;
      },
    });
    expireAll(world);
    isDown = true;
    const error = await failureOf(client.callTool("echo", {}));
    isDown = false;

    const result = await client.callTool("echo", { text: "hi" });

    expect(error).toMatchObject({ code: "login_failed" });
    expect(error.message).toContain("502");
    expect(result.text).toBe("hi");
    expect(world.visits).toHaveLength(1);
  });

  test("that was only just got is not got again and again", async () => {
    const refuseCalls = ({ request, status }: Reply): boolean => {
      const isCall = request.message.method === "tools/call";
      if (isCall) status(401, "", { "www-authenticate": "Bearer" });
      return isCall;
    };
    const { world, client } = await startLoggedIn({ refuse: refuseCalls });

    const first = await failureOf(client.callTool("echo", {}));
    const visits = world.visits.length;
    const second = await failureOf(client.callTool("echo", {}));

    expect([first, second]).toMatchObject([{ code: "unauthorized" }, { code: "unauthorized" }]);
    expect(visits).toBe(2);
    expect(world.visits).toHaveLength(2);
  });
});

describe("a token that is about to end", () => {
  test("is refreshed before it does", async () => {
    const { world, store } = await startLoggedIn();
    const [old] = world.granted.keys();
    await age(store, world, 10_000);
    const fresh = openClient({ url: world.server.url, auth: oauth({ redirect: world.redirect, store }) });

    await fresh.callTool("echo", {});

    expect(world.tokenRequests("refresh_token")).toHaveLength(1);
    expect(world.calls()).not.toContain(old);
  });

  test("is used until then when the refresh fails for now", async () => {
    let isDown = false;
    const { problems, onError } = collectProblems();
    const { world, store } = await startLoggedIn({
      token: (_, answer) => {
        if (isDown) answer({ error: "temporarily_unavailable" }, 503);
        return isDown;
      },
    });
    await age(store, world, 10_000);
    isDown = true;
    const auth = oauth({ redirect: world.redirect, store, onError });
    const client = openClient({ url: world.server.url, auth });

    const result = await client.callTool("echo", { text: "hi" });

    expect(result.text).toBe("hi");
    expect(problems).toMatchObject([{ code: "login_failed" }]);
    expect(world.tokenRequests("refresh_token")).toHaveLength(1);
  });

  test.each([0, 1, "1", -5])(
    "at once, with expires_in %j, is refreshed once for each request at most",
    async (life) => {
      const world = await startWorld({ tokenMembers: { expires_in: life } });
      const client = openClient({ url: world.server.url, auth: oauth({ redirect: world.redirect }) });

      const result = await client.callTool("echo", { text: "hi" });

      expect(result.text).toBe("hi");
      expect(world.visits).toHaveLength(1);
      expect(world.tokenRequests("refresh_token").length).toBeLessThanOrEqual(world.server.log.length);
    },
  );

  test("at once, and cannot be refreshed, is used for the request that it was got for", async () => {
    const world = await startWorld({ tokenMembers: { expires_in: 0, refresh_token: undefined } });
    const client = openClient({ url: world.server.url, auth: oauth({ redirect: world.redirect }) });

    await client.connect();

    expect(client.getToolNames()).toEqual(["echo"]);
    expect(world.visits.length).toBeGreaterThanOrEqual(1);
  });
});

describe("a refresh", () => {
  test("makes a new context, as a login does", async () => {
    const { world, client, auth } = await startLoggedIn();
    const server = new URL(world.server.url);
    const before = auth.context?.(server);
    expireAll(world);
    await client.callTool("echo", {});
    const refreshed = auth.context?.(server);
    await auth.login(world.server.url);

    expect(before).toBeTypeOf("string");
    expect(new Set([before, refreshed, auth.context?.(server)]).size).toBe(3);
  });

  test("leaves nothing private of what was cached with the old token", async () => {
    let reads = 0;
    const { world, client } = await startLoggedIn({
      serve: serveModern({
        "resources/read": (reply) => {
          reads += 1;
          reply.result({ resultType: "complete", contents: [], ttlMs: 60_000, cacheScope: "private" });
        },
      }),
    });
    for (const _ of [1, 2]) await client.readResource("a://1");
    const before = reads;
    expireAll(world);
    await client.callTool("echo", {});

    for (const _ of [1, 2]) await client.readResource("a://1");

    expect([before, reads]).toEqual([1, 2]);
  });

  test("keeps the refresh token and the scopes that the answer leaves out", async () => {
    const tokenMembers: Record<string, unknown> = { ...EXPIRES_SOON };
    const { world, store, client } = await startLoggedIn({ challenge: 'scope="a"', tokenMembers });
    const key = `login ${world.server.url}`;
    const before = await store.get(key);
    tokenMembers.refresh_token = undefined;
    tokenMembers.scope = undefined;
    expireAll(world);

    await client.callTool("echo", {});

    const after = await store.get(key);
    const { refreshToken } = (before?.tokens ?? {}) as { refreshToken?: string };
    expect(before).toMatchObject({ tokens: { scope: "a" } });
    expect(after).toMatchObject({ requested: "a", tokens: { scope: "a", refreshToken } });
  });

  test("goes to whoever gave the token, whatever the server names now", async () => {
    const other = await startWorld();
    const resource: Record<string, unknown> = {};
    const { world, store } = await startLoggedIn({ resource });
    await age(store, world, -1_000);
    resource.authorization_servers = [other.issuer];
    const client = openClient({ url: world.server.url, auth: oauth({ redirect: world.redirect, store }) });

    await client.callTool("echo", {});

    expect(world.tokenRequests("refresh_token")).toHaveLength(1);
    expect(other.log).toEqual([]);
  });

  test("is not possible for another client, and ends in a login", async () => {
    const { world, store } = await startLoggedIn({}, { client: { clientId: "first" } });
    expireAll(world);
    const client = { clientId: "second" };
    const later = openClient({ url: world.server.url, auth: oauth({ redirect: world.redirect, store, client }) });

    await later.callTool("echo", {});

    expect(world.tokenRequests("refresh_token")).toEqual([]);
    expect(world.authorizations().map((params) => params.get("client_id"))).toEqual(["first", "second"]);
  });
});

describe("an authorization server that moved", () => {
  test("gives the next tokens, and is shown nothing of the old one", async () => {
    const next = await startWorld();
    const resource: Record<string, unknown> = {};
    const { world, client } = await startLoggedIn({
      resource,
      refuse(reply) {
        const isIn = next.granted.has(reply.request.headers.authorization?.slice("Bearer ".length) ?? "");
        if (isIn) serveModern()(reply);
        return isIn;
      },
    });
    const old = world.authorizations()[0]?.get("client_id") ?? "";
    const known = [...world.granted.keys(), ...world.refreshTokens.keys(), old];
    expireAll(world);
    resource.authorization_servers = [next.issuer];

    const result = await client.callTool("echo", { text: "hi" });

    expect(result.text).toBe("hi");
    expect(world.tokenRequests("refresh_token")).toEqual([]);
    expect(next.tokenRequests("authorization_code")).toHaveLength(1);
    expect(next.log.some(({ path }) => path === "/register")).toBe(true);
    for (const secret of known)
      expect(JSON.stringify(next.log.map(({ text, headers }) => ({ text, headers })))).not.toContain(secret);
    expect(next.authorizations()[0]?.get("client_id")).not.toBe(old);
  });
});

test("a token that has ended and comes again is sent, and not asked for without end", async () => {
  const { world, store, client } = await startLoggedIn({
    token(params, answer) {
      if (params.get("grant_type") !== "refresh_token") return false;
      answer({ access_token: [...world.granted.keys()][0], token_type: "bearer", expires_in: 0 });
      return true;
    },
  });
  await age(store, world, -1_000);
  const later = openClient({ url: world.server.url, auth: oauth({ redirect: world.redirect, store }) });

  const before = world.server.log.length;

  const result = await later.callTool("echo", { text: "a" });

  expect(result.text).toBe("a");
  expect(world.tokenRequests("refresh_token").length).toBeLessThanOrEqual(world.server.log.length - before);
  await client.close();
});

test("a token that ends while the server publishes nothing is refreshed where it came from", async () => {
  const options: { publishesResource?: boolean } = {};
  const { world, client } = await startLoggedIn(options);
  world.granted.clear();
  options.publishesResource = false;

  const result = await client.callTool("echo", { text: "a" });

  expect(result.text).toBe("a");
  expect(world.tokenRequests("refresh_token")).toHaveLength(1);
  expect(world.visits).toHaveLength(1);
});

test.each([400, 401])(
  "a refresh that is refused with HTTP %d and without a reason leads to a login",
  async (status) => {
    const { world, client } = await startLoggedIn({
      token(params, answer) {
        const isRefresh = params.get("grant_type") === "refresh_token";
        if (isRefresh) answer({ message: "no" }, status);
        return isRefresh;
      },
    });
    expireAll(world);

    await client.callTool("echo", { text: "a" });

    expect(world.visits).toHaveLength(2);
  },
);
