import { oauth } from "@mortise/client/oauth";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { failureOf, openClient } from "../open-client.js";
import { createHandRedirect, toUrl } from "./hand-redirect.js";
import { startWorld } from "./login-world.js";

const LOGINS = "../../src/oauth/logins.js";
const AUTH_LAYER = "../../src/open-auth-layer.js";
const MISSED_DOCUMENTS = "../../src/oauth/missed-documents.js";
let isReachable = false;

beforeEach(() => {
  isReachable = false;
  vi.doMock(LOGINS, async (original) => {
    if (!isReachable) throw new TypeError("Failed to fetch dynamically imported module");
    return original();
  });
});

afterEach(() => {
  vi.doUnmock(LOGINS);
  vi.doUnmock(AUTH_LAYER);
  vi.doUnmock(MISSED_DOCUMENTS);
});

describe("what a login takes, when it cannot be loaded", () => {
  test("fails the call with that reason, and the next call logs in", async () => {
    const world = await startWorld();
    const client = openClient({ url: world.server.url, auth: oauth({ redirect: world.redirect }) });

    const error = await failureOf(client.callTool("echo", { text: "hi" }));
    isReachable = true;
    const result = await client.callTool("echo", { text: "hi" });

    expect(error).toMatchObject({ code: "login_failed", message: "Could not load what a login takes" });
    expect(result.text).toBe("hi");
    expect(world.visits).toHaveLength(1);
  });

  test("fails logins that were asked for together, which share the next one's page with nobody", async () => {
    const world = await startWorld();
    const redirect = createHandRedirect();
    const auth = oauth({ redirect });

    const errors = await Promise.all([1, 2, 3].map(() => failureOf(auth.login(world.server.url))));
    isReachable = true;
    const login = auth.login(world.server.url);
    await redirect.shown(1);
    const answer = await redirect.pages[0]?.agree();
    await login;

    expect(errors.map(({ code }) => code)).toEqual(["login_failed", "login_failed", "login_failed"]);
    expect(redirect.pages).toHaveLength(1);
    expect(await auth.finish(toUrl(answer ?? new URLSearchParams()))).toBeUndefined();
  });
});

describe("what sends credentials, when it cannot be loaded", () => {
  test("fails the call, and the next call is sent with them", async () => {
    isReachable = true;
    let isLost = true;
    vi.doMock(AUTH_LAYER, async (original) => {
      if (isLost) throw new TypeError("Failed to fetch dynamically imported module");
      return original();
    });
    const world = await startWorld();
    const client = openClient({ url: world.server.url, auth: oauth({ redirect: world.redirect }) });

    const error = await failureOf(client.callTool("echo", { text: "hi" }));
    isLost = false;
    const result = await client.callTool("echo", { text: "hi" });

    expect(error).toMatchObject({ cause: { message: "Failed to fetch dynamically imported module" } });
    expect(result.text).toBe("hi");
  });
});

describe("a network that is down", () => {
  test("is told without what would explain more", async () => {
    isReachable = true;
    vi.doMock(MISSED_DOCUMENTS, () => {
      throw new TypeError("Failed to fetch dynamically imported module");
    });
    const fetch = (): Promise<Response> => Promise.reject(new TypeError("Failed to fetch"));
    const auth = oauth({ redirect: createHandRedirect(), fetch });

    const error = await failureOf(auth.login("https://mcp.example/mcp"));

    expect(error).toMatchObject({ code: "login_failed" });
    expect(error.message).toMatch(/^Could not read https:\/\/mcp\.example\/.*: Failed to fetch$/);
  });
});

describe("what a login takes, while it is loading", () => {
  test("keeps nobody waiting who gives the login up", async () => {
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    vi.doMock(LOGINS, async (original) => {
      await arrived;
      return original();
    });
    const world = await startWorld();
    const caller = new AbortController();
    const login = oauth({ redirect: world.redirect }).login(world.server.url, { signal: caller.signal });

    caller.abort();

    expect(await failureOf(login)).toMatchObject({ code: "aborted" });
    arrive();
    expect(world.server.log).toEqual([]);
  });
});
