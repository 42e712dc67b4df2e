import { type AddressInfo, createServer } from "node:net";
import { oauth } from "@mortise/client/oauth";
import { describe, expect, onTestFinished, test } from "vitest";
import { failureOf, openClient } from "../open-client.js";
import { startWorld, type World } from "./login-world.js";

/** The port of a server that accepts connections and does with them as told. */
async function listen(onConnection: "hang" | "close"): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    if (onConnection === "close") socket.destroy();
    onTestFinished(() => void socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port; // a TCP server has one
}

/** A port on which nothing listens any more. */
async function findClosedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has one
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

/** The paths that the protected server was asked for, those of its own protocol apart. */
function lookups({ server }: World): string[] {
  return server.log.map(({ path }) => path).filter((path) => path !== "/mcp");
}

/** Nothing stands in for what could not be reached: nobody is shown a page, registered, or asked for tokens. */
function expectNothingAssumed(world: World): void {
  expect(lookups(world).filter((path) => /authorize|token|register|authorization-server|openid/.test(path))).toEqual(
    [],
  );
  expect(world.log).toEqual([]);
  expect(world.visits).toEqual([]);
}

const failures: [string, () => Promise<string>, string][] = [
  ["refuses connections", async () => `http://127.0.0.1:${await findClosedPort()}`, "ECONNREFUSED"],
  ["has no address", async () => "https://nowhere.invalid", "nowhere.invalid"],
  ["hangs up", async () => `http://127.0.0.1:${await listen("close")}`, "127.0.0.1"],
  ["speaks no TLS", async () => `https://127.0.0.1:${await listen("close")}`, "127.0.0.1"],
];

describe("a login whose metadata cannot be reached, outside a browser,", () => {
  test.each(failures)("is surfaced when the host of the resource's metadata %s", async (_, findOrigin, reason) => {
    const origin = await findOrigin();
    const world = await startWorld({ challenge: `resource_metadata="${origin}/meta"`, publishesResource: false });
    const client = openClient({ url: world.server.url, auth: oauth({ redirect: world.redirect }) });

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "login_failed" });
    expect(error.message).toContain(`${origin}/meta`);
    expect(error.message).toContain(reason);
    expectNothingAssumed(world);
  });

  test.each(failures)("is surfaced when the authorization server %s", async (_, findOrigin, reason) => {
    const origin = await findOrigin();
    const world = await startWorld({ resource: { authorization_servers: [origin] } });
    const client = openClient({ url: world.server.url, auth: oauth({ redirect: world.redirect }) });

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "login_failed" });
    expect(error.message).toContain(reason);
    expectNothingAssumed(world);
  });

  test("is not mistaken for one that is absent when a given fetch fails as a browser's would", async () => {
    const asked: string[] = [];
    const world = await startWorld({ challenge: 'resource_metadata="http://127.0.0.1:4999/meta"' });
    const auth = oauth({
      redirect: world.redirect,
      fetch: async (input) => {
        asked.push(String(input));
        throw new TypeError("fetch failed");
      },
    });

    const error = await failureOf(openClient({ url: world.server.url, auth }).connect());

    expect(error).toMatchObject({ code: "login_failed" });
    expect(error.message).toContain("fetch failed");
    expect(asked.every((url) => url.endsWith("/meta") || url.includes("oauth-protected-resource"))).toBe(true);
    expect(new Set(asked).size).toBe(asked.length);
  });

  test("goes on when one place of the authorization server's metadata fails and another is there", async () => {
    const metadata: Record<string, unknown> = {};
    const world = await startWorld({ metadata });
    let isFirst = true;
    const auth = oauth({
      redirect: world.redirect,
      fetch: async (input, init) => {
        if (String(input).includes("oauth-authorization-server") && isFirst) {
          isFirst = false;
          throw new TypeError("fetch failed", { cause: new Error("reset") });
        }
        return fetch(String(input).replace("openid-configuration", "oauth-authorization-server"), init);
      },
    });

    await openClient({ url: world.server.url, auth }).connect();

    expect(world.tokenRequests()).toHaveLength(1);
  });
});
