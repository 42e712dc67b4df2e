import { once } from "node:events";
import { createServer } from "node:net";
import { memoryStore, oauth } from "@mortise/client/oauth";
import { loopbackRedirect } from "@mortise/client/oauth/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { failureOf, openClient } from "../open-client.js";
import { startWorld, type World } from "./login-world.js";

/** A user who goes wherever the browser is sent. */
const obey = (url: URL): boolean => {
  void fetch(url).then((page) => page.text());
  return true;
};

/** What each registration was for, and what each login then asked to come back to. */
function compare(world: World): { registered: unknown[]; used: (string | null)[] } {
  const bodies = world.log.filter(({ path }) => path === "/register").map(({ text }) => JSON.parse(text));
  return {
    registered: bodies.map(({ redirect_uris: uris }: { redirect_uris: unknown }) => uris),
    used: world.authorizations().map((params) => params.get("redirect_uri")),
  };
}

/** Begins a login that is given up once the page is shown; gives where it would have come back to. */
async function interruptLogin(world: World, store: ReturnType<typeof memoryStore>): Promise<string> {
  const giveUp = new AbortController();
  let uri = "";
  const openBrowser = (url: URL): boolean => {
    uri = url.searchParams.get("redirect_uri") ?? "";
    giveUp.abort();
    return true;
  };
  const auth = oauth({ redirect: loopbackRedirect({ openBrowser }), store });
  expect(await failureOf(auth.login(world.server.url, { signal: giveUp.signal }))).toMatchObject({ code: "aborted" });
  return uri;
}

describe("a login that comes back to this machine", () => {
  test("comes back to the port that an interrupted one registered", async () => {
    const world = await startWorld();
    const store = memoryStore();
    const uri = await interruptLogin(world, store);

    await oauth({ redirect: loopbackRedirect({ openBrowser: obey }), store }).login(world.server.url);

    expect(compare(world)).toEqual({ registered: [[uri]], used: [uri] });
  });

  test("registers another address when the registered port is taken", async () => {
    const world = await startWorld();
    const store = memoryStore();
    const uri = await interruptLogin(world, store);
    const squatter = createServer().listen(Number(new URL(uri).port), "127.0.0.1");
    onTestFinished(() => void squatter.close());
    await once(squatter, "listening");

    await oauth({ redirect: loopbackRedirect({ openBrowser: obey }), store }).login(world.server.url);

    const { registered, used } = compare(world);
    expect(registered).toEqual([[uri], used]);
    expect(used).not.toContain(uri);
    expect(world.tokenRequests()[0]?.get("redirect_uri")).toBe(used[0]);
  });

  test("registers anew when nothing that is registered leads here", async () => {
    const world = await startWorld();
    const store = memoryStore();
    const kept = { clientId: "old", method: "none", source: "registered", redirectUris: ["com.example.app:/back"] };
    await store.set(`client ${world.issuer}`, kept);

    await oauth({ redirect: loopbackRedirect({ openBrowser: obey }), store }).login(world.server.url);

    const { registered, used } = compare(world);
    expect(registered).toEqual([used]);
  });

  test("is redeemed once beside another one, whatever comes again", async () => {
    const world = await startWorld();
    const pages: URL[] = [];
    const openBrowser = (url: URL): boolean => pages.push(url) > 0;
    const auth = oauth({ redirect: loopbackRedirect({ openBrowser }), store: memoryStore() });
    const visit = async (page: URL): Promise<string> => {
      const { headers } = await fetch(page, { redirect: "manual" });
      return headers.get("location") ?? "";
    };
    const logins = [auth.login(world.server.url), auth.login(world.server.url)];
    await expect.poll(() => pages.length).toBe(2);

    const answers = [await visit(pages[0]!), await visit(pages[1]!)];
    const first = await fetch(answers[0]!);
    const replay = await fetch(answers[0]!);
    await fetch(answers[1]!);
    await Promise.all(logins);

    expect([first.status, replay.status]).toEqual([200, 400]);
    expect(world.tokenRequests()).toHaveLength(2);
    expect(new Set(world.tokenRequests().map((params) => params.get("code_verifier"))).size).toBe(2);
  });

  test("lets the call in that led to it, and leaves nothing listening", async () => {
    const world = await startWorld();
    const auth = oauth({ redirect: loopbackRedirect({ openBrowser: obey }) });
    const client = openClient({ url: world.server.url, auth });

    await Promise.all([client.callTool("echo"), client.callTool("echo")]);

    const { used } = compare(world);
    expect(used).toHaveLength(1);
    await expect(fetch(used[0] ?? "")).rejects.toThrow();
  });
});
