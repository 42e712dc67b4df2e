import { oauth } from "@mortise/client/oauth";
import { describe, expect, test } from "vitest";
import type { Reply } from "../fake-http.js";
import { failureOf, openClient } from "../open-client.js";
import { challenge, type Granted, startWorld, type World } from "./login-world.js";

/** Which scopes a call of a tool needs. */
const NEEDS: Readonly<Record<string, string>> = { read: "files:read", write: "files:write", admin: "admin:all" };

/** Refuses calls of tools that the token is not good for, naming what is missing and nothing else. */
function refuseByTool(reply: Reply, granted: Granted | undefined, _world: World): boolean {
  const { method, params } = reply.request.message;
  const needed = method === "tools/call" ? NEEDS[String(params?.name)] : undefined;
  if (granted === undefined || needed === undefined || granted.scope.split(" ").includes(needed)) return false;
  challenge(reply, `error="insufficient_scope", scope="${needed}"`, 403);
  return true;
}

function scopesOf(world: World): ReadonlySet<string>[] {
  return world.authorizations().map((params) => new Set(params.get("scope")?.split(" ")));
}

async function startReader(refuse = refuseByTool) {
  let isFirst = true;
  const world = await startWorld({
    refuse(reply, granted, own) {
      if (refuse(reply, granted, own)) return true;
      if (granted !== undefined || isFirst === false) return false;
      isFirst = false;
      challenge(reply, 'scope="files:read"');
      return true;
    },
  });
  const auth = oauth({ redirect: world.redirect });
  const client = openClient({ url: world.server.url, auth });
  await client.connect();
  return { world, client, auth };
}

describe("a request that needs more scopes", () => {
  test.each([
    ["more scopes than anybody asks for", Array.from({ length: 600 }, (_, at) => `s${at}`).join(" "), undefined],
    ["a scope that the authorization server does not offer", "files:write offline_access", ["files:write"]],
  ])("is refused after one login when the server names %s", async (_, scope, offered) => {
    const world = await startWorld({
      metadata: { scopes_supported: offered },
      refuse(reply, granted) {
        if (granted === undefined || reply.request.message.method !== "tools/call") return false;
        challenge(reply, `error="insufficient_scope", scope="${scope}"`, 403);
        return true;
      },
    });
    const client = openClient({ url: world.server.url, auth: oauth({ redirect: world.redirect }) });
    await client.connect();

    await expect(client.callTool("write", {})).rejects.toMatchObject({ code: "unauthorized" });
    await expect(client.callTool("write", {})).rejects.toMatchObject({ code: "unauthorized" });

    expect(world.authorizations()).toHaveLength(2);
  });

  test("gets them together with all that were asked for before, and without a refresh", async () => {
    const { world, client } = await startReader();

    await client.callTool("write", {});
    world.granted.clear(); // they end, and the challenge names no scope at all
    world.refreshTokens.clear();
    await client.callTool("read", {});
    await client.callTool("admin", {});

    expect(scopesOf(world)).toEqual([
      new Set(["files:read"]),
      new Set(["files:read", "files:write"]),
      new Set(["files:read", "files:write"]),
      new Set(["files:read", "files:write", "admin:all"]),
    ]);
    const grants = world.tokenRequests().map((params) => params.get("grant_type"));
    expect(grants.filter((grant) => grant === "refresh_token")).toHaveLength(1);
  });

  test("is refused after a few tries, and not tried again by the next one", async () => {
    const { world, client } = await startReader((reply, granted) => {
      if (granted === undefined || reply.request.message.method !== "tools/call") return false;
      challenge(reply, 'error="insufficient_scope", scope="files:write"', 403);
      return true;
    });

    const first = await failureOf(client.callTool("write", {}));
    const requests = world.authorizations().length;
    const second = await failureOf(client.callTool("write", {}));

    expect([first, second]).toMatchObject([{ code: "unauthorized" }, { code: "unauthorized" }]);
    expect(requests).toBeLessThanOrEqual(3);
    expect(world.authorizations()).toHaveLength(requests);
  });

  test("is tried again after the user has logged in once more", async () => {
    let allows = false;
    const { world, client, auth } = await startReader((reply, granted) => {
      if (granted === undefined || allows || reply.request.message.method !== "tools/call") return false;
      challenge(reply, 'error="insufficient_scope", scope="files:write"', 403);
      return true;
    });
    await failureOf(client.callTool("write", {}));
    allows = true;

    await auth.login(world.server.url);
    const result = await client.callTool("write", { text: "hi" });

    expect(result.text).toBe("hi");
  });

  test("leads to no more than three logins when the server wants something else each time", async () => {
    let wanted = 0;
    const { world, client } = await startReader((reply, granted) => {
      if (granted === undefined || reply.request.message.method !== "tools/call") return false;
      wanted += 1;
      challenge(reply, `error="insufficient_scope", scope="more:${wanted}"`, 403);
      return true;
    });
    const before = world.authorizations().length;

    expect(await failureOf(client.callTool("write", {}))).toMatchObject({ code: "unauthorized" });
    expect(world.authorizations().length - before).toBeLessThanOrEqual(3);
  });

  test("joins the login of another that needs the same", async () => {
    const { world, client } = await startReader();

    await Promise.all([1, 2, 3, 4].map(() => client.callTool("write", {})));

    expect(world.visits).toHaveLength(2);
  });

  test("waits for the login of another that needs something else, and adds to it", async () => {
    const { world, client } = await startReader();

    await Promise.all([client.callTool("write", {}), client.callTool("admin", {})]);

    expect(world.visits.length).toBeLessThanOrEqual(3);
    expect(scopesOf(world).at(-1)).toEqual(new Set(["files:read", "files:write", "admin:all"]));
  });

  test("leaves the refusal as it is when the server does not say what is missing, and names no scopes", async () => {
    const { world, client } = await startReader((reply, granted) => {
      if (granted === undefined || reply.request.message.method !== "tools/call") return false;
      challenge(reply, 'error="insufficient_scope"', 403);
      return true;
    });

    expect(await failureOf(client.callTool("write", {}))).toMatchObject({ code: "unauthorized" });
    expect(world.visits).toHaveLength(1);
  });
});

describe("a request that is forbidden for another reason", () => {
  test("leads to no login", async () => {
    const { world, client } = await startReader((reply, granted) => {
      if (granted === undefined || reply.request.message.method !== "tools/call") return false;
      reply.status(403, "not you");
      return true;
    });

    expect(await failureOf(client.callTool("write", {}))).toMatchObject({ code: "unauthorized" });
    expect(world.visits).toHaveLength(1);
  });
});
