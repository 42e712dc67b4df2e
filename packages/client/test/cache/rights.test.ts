import type { Authorizer } from "@mortise/client";
import { createResponseCache } from "@mortise/client/cache";
import { describe, expect, test } from "vitest";
import type { Reply } from "../fake-http.js";
import { openClient } from "../open-client.js";
import { type CountingServer, startCounting } from "./counting-server.js";

/** A server that shows everybody what is theirs. */
function startPersonal(hints: object): Promise<CountingServer> {
  const answer = (_: unknown, { request }: Reply): object => ({
    contents: [{ uri: "a://me", text: String(request.headers.authorization) }],
  });
  return startCounting({ "resources/read": answer }, { ttlMs: 60_000, ...hints });
}

const bearer = (token: string): { headers: Record<string, string> } => ({
  headers: { Authorization: `Bearer ${token}` },
});

describe("a cache that clients share", () => {
  test.each([
    ["private", { cacheScope: "private" }],
    ["of no scope", {}],
    ["of a scope nobody knows", { cacheScope: "team" }],
  ])("keeps responses that are %s for those with the same rights", async (_, hints) => {
    const server = await startPersonal(hints);
    const cache = createResponseCache();
    const read = async (token: string): Promise<string> =>
      (await openClient({ url: server.url, cache, ...bearer(token) }).readResource("a://me")).text;

    const texts = [await read("aaaaaaaa"), await read("bbbbbbbb"), await read("aaaaaaaa")];

    expect(texts).toEqual(["Bearer aaaaaaaa", "Bearer bbbbbbbb", "Bearer aaaaaaaa"]);
    expect(server.count("resources/read")).toBe(2);
  });

  test("gives everybody what is public", async () => {
    const server = await startPersonal({ cacheScope: "public" });
    const cache = createResponseCache();

    for (const token of ["aaaaaaaa", "bbbbbbbb"])
      await openClient({ url: server.url, cache, ...bearer(token) }).readResource("a://me");

    expect(server.count("resources/read")).toBe(1);
  });

  test("gives nothing of another server", async () => {
    const cache = createResponseCache();
    const servers = [await startPersonal({ cacheScope: "public" }), await startPersonal({ cacheScope: "public" })];

    for (const { url } of servers) await openClient({ url, cache }).readResource("a://me");

    expect(servers.map((server) => server.count("resources/read"))).toEqual([1, 1]);
  });

  test("gives nothing to clients that declare other abilities, which a server may heed", async () => {
    const server = await startPersonal({ cacheScope: "public" });
    const cache = createResponseCache();

    await openClient({ url: server.url, cache }).readResource("a://me");
    await openClient({ url: server.url, cache, onRoots: () => [] }).readResource("a://me");

    expect(server.count("resources/read")).toBe(2);
  });

  test("keeps apart what was got through different functions, which may add credentials", async () => {
    const server = await startPersonal({ cacheScope: "private" });
    const cache = createResponseCache();
    const own = (): typeof fetch => (input, init) => fetch(input, init);
    const same = own();

    for (const given of [own(), same, same])
      await openClient({ url: server.url, cache, fetch: given }).readResource("a://me");

    expect(server.count("resources/read")).toBe(2);
  });

  test("names no secret in anything that can be looked at", async () => {
    const server = await startPersonal({ cacheScope: "private" });
    const cache = createResponseCache();

    await openClient({ url: server.url, cache, ...bearer("very-secret-token") })
      .request("resources/list")
      .catch(() => undefined);

    expect(JSON.stringify(cache)).not.toContain("very-secret-token");
  });
});

describe("the cache of a client that logs in", () => {
  /** Lets requests in with a token that changes. */
  function createAuthorizer(context: (() => string | undefined) | undefined): Authorizer & { token: string } {
    const authorizer = {
      token: "aaaaaaaa",
      authorize: () => bearer(authorizer.token),
      ...(context === undefined ? {} : { context }),
    };
    return authorizer;
  }

  test("follows the rights of the moment", async () => {
    const server = await startPersonal({ cacheScope: "private" });
    let user: string | undefined = "ada";
    const auth = createAuthorizer(() => user);
    const client = openClient({ url: server.url, auth });
    const read = async (): Promise<string> => (await client.readResource("a://me")).text;

    const texts = [await read(), await read()];
    user = "bob";
    auth.token = "bbbbbbbb";
    texts.push(await read());
    user = "ada";
    texts.push(await read());

    expect(texts.map((text) => text.at(-1))).toEqual(["a", "a", "b", "a"]);
    expect(server.count("resources/read")).toBe(2);
  });

  test.each([
    ["does not know", () => undefined],
    ["cannot tell", undefined],
  ])("keeps nothing private while the authorizer %s whose rights they are", async (_, context) => {
    const server = await startPersonal({ cacheScope: "private" });
    const client = openClient({ url: server.url, auth: createAuthorizer(context) });

    await client.readResource("a://me");
    await client.readResource("a://me");

    expect(server.count("resources/read")).toBe(2);
  });

  test("does not keep what came while the rights changed", async () => {
    let user = "ada";
    const answer = (): object => {
      user = "bob";
      return { contents: [] };
    };
    const server = await startCounting({ "resources/read": answer });
    const client = openClient({ url: server.url, auth: createAuthorizer(() => user) });

    await client.readResource("a://me");
    await client.readResource("a://me");

    expect(server.count("resources/read")).toBe(2);
  });
});
