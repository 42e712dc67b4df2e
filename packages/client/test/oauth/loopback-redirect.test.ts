import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type LoopbackRedirectOptions, loopbackRedirect } from "../../src/oauth/node/loopback-redirect.js";
import type { OpenRedirect } from "../../src/oauth/redirect.js";
import { failureOf } from "../open-client.js";

const LOGIN = new URL("https://as.example/authorize?state=s1");
const never = new AbortController().signal;

interface Opening {
  readonly registered?: readonly string[];
  readonly signal?: AbortSignal;
}

/** A redirect whose browser is the test. */
function create(options: LoopbackRedirectOptions = {}): (opening?: Opening) => Promise<OpenRedirect> {
  const redirect = loopbackRedirect({ openBrowser: () => true, ...options });
  return async ({ registered = [], signal = never } = {}) => {
    const login = await redirect.open({ registered, signal });
    onTestFinished(() => login.close());
    return login;
  };
}

async function occupy(port = 0, host = "127.0.0.1"): Promise<{ port: number; server: Server }> {
  const server = createServer((socket) => socket.destroy()).listen(port, host);
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, server };
}

async function findPort(): Promise<number> {
  const { port, server } = await occupy();
  server.close();
  await once(server, "close");
  return port;
}

const portOf = (uri: string): number => Number(new URL(uri).port);

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a loopback redirect", () => {
  test("gives what came back with the login's state, as it came", async () => {
    const login = await create()();

    const answer = login.visit(LOGIN, { state: "s1", signal: never });
    const page = await fetch(`${login.uri}?code=a%2Bb&state=s1&iss=https%3A%2F%2FAS.example%2F&x=1&x=2`);

    expect([...(await answer)]).toEqual([
      ["code", "a+b"],
      ["state", "s1"],
      ["iss", "https://AS.example/"],
      ["x", "1"],
      ["x", "2"],
    ]);
    expect(page.status).toBe(200);
  });

  test("names itself a native application, on an address of this machine", () => {
    expect(loopbackRedirect()).toMatchObject({ applicationType: "native", uris: ["http://127.0.0.1/callback"] });
    expect(loopbackRedirect({ port: 4711, host: "localhost", path: "/cb" }).uris).toEqual(["http://localhost:4711/cb"]);
    expect(loopbackRedirect({ host: "::1" }).uris).toEqual(["http://[::1]/callback"]);
  });

  test("shows a page that loads nothing, is not kept, and repeats nothing of the visit", async () => {
    const login = await create()();
    const answer = login.visit(LOGIN, { state: "s1", signal: never });

    const page = await fetch(
      `${login.uri}?error=%3Cb%3Enope&error_description=%3Cscript%3Ealert(1)%3C/script%3E&state=s1`,
    );
    const text = await page.text();

    expect((await answer).get("error")).toBe("<b>nope");
    expect(text).not.toMatch(/nope|alert|s1|https?:/);
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'unsafe-inline'/);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "content-type": "text/html; charset=utf-8",
    });
  });

  test("shows a page of the application's own, which cannot break the login", async () => {
    const open = create({
      page: (outcome) => {
        if (outcome !== "answered") throw new Error("no page for that");
        return "<p>Back to the app</p>";
      },
    });
    const login = await open();
    const answer = login.visit(LOGIN, { state: "s1", signal: never });

    const other = await fetch(`${login.uri}?state=other`);
    const page = await fetch(`${login.uri}?code=c&state=s1`);

    expect(other.status).toBe(400);
    expect(await page.text()).toBe("<p>Back to the app</p>");
    await answer;
  });

  test.each([
    ["no state", "GET", "?code=c", 400],
    ["another state", "GET", "?code=c&state=s2", 400],
    ["two states", "GET", "?code=c&state=s1&state=s1", 400],
    ["no parameters", "GET", "", 400],
    ["HEAD", "HEAD", "?code=c&state=s1", 405],
    ["POST", "POST", "?code=c&state=s1", 405],
    ["another path", "GET", "/more?code=c&state=s1", 404],
  ])("is not impressed by a visit with %s", async (_name, method, rest, status) => {
    const login = await create()();
    const answer = login.visit(LOGIN, { state: "s1", signal: never });

    const page = await fetch(login.uri + rest, { method });
    await fetch(new URL("/favicon.ico", login.uri));
    await fetch(`${login.uri}?code=right&state=s1`);

    expect(page.status).toBe(status);
    expect((await answer).get("code")).toBe("right");
  });

  test("is answered once: the same visit again finds nothing that waits", async () => {
    const open = create();
    const [login, other] = [await open(), await open()];
    const answer = login.visit(LOGIN, { state: "s1", signal: never });
    await fetch(`${login.uri}?code=c&state=s1`);
    await answer;

    const again = await fetch(`${login.uri}?code=c&state=s1`);

    expect(again.status).toBe(400);
    expect(other.uri).toBe(login.uri);
  });

  test("survives targets that are no addresses, and connections that say nothing", async () => {
    const login = await create()();
    const answer = login.visit(LOGIN, { state: "s1", signal: never });
    const silent = connect(portOf(login.uri), "127.0.0.1");
    const odd = connect(portOf(login.uri), "127.0.0.1");
    const closed = [once(silent, "close"), once(odd, "close")];
    silent.on("error", () => {});
    odd.write("GET http://[ HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(odd, "data");

    await fetch(`${login.uri}?code=c&state=s1`);
    await answer;
    login.close();

    await Promise.all(closed);
  });

  test("stops listening after the last login is closed, and can begin again", async () => {
    const open = create({ port: await findPort() });
    const [first, second] = [await open(), await open()];

    first.close();
    first.close();
    const between = await fetch(second.uri);
    second.close();

    expect(between.status).toBe(400);
    await expect(fetch(second.uri)).rejects.toThrow();
    expect((await fetch((await open()).uri)).status).toBe(400);
  });

  test("gets its page through even when the login is closed at once", async () => {
    for (let round = 0; round < 5; round += 1) {
      const login = await create({ page: () => "x".repeat(100_000) })();
      const answer = login.visit(LOGIN, { state: "s1", signal: never }).then(() => login.close());

      const page = await fetch(`${login.uri}?code=c&state=s1`);

      expect(await page.text()).toHaveLength(100_000);
      await answer;
    }
  });

  test("ends the wait with the reason of the signal", async () => {
    const login = await create()();
    const giveUp = new AbortController();
    const answer = login.visit(LOGIN, { state: "s1", signal: giveUp.signal });

    giveUp.abort(new Error("enough"));

    await expect(answer).rejects.toThrow("enough");
    expect((await fetch(`${login.uri}?code=c&state=s1`)).status).toBe(400);
  });

  test("ends the wait when it is closed", async () => {
    const login = await create()();
    const answer = login.visit(LOGIN, { state: "s1", signal: never });

    login.close();

    expect(await failureOf(answer)).toMatchObject({ code: "aborted" });
  });

  test("opens nothing once the signal has aborted", async () => {
    const open = create();

    await expect(open({ signal: AbortSignal.abort(new Error("late")) })).rejects.toThrow("late");
  });

  test.each([
    { port: -1 },
    { port: 65_536 },
    { port: 1.5 },
    { host: "0.0.0.0" },
    { host: "example.com" },
    { path: "callback" },
    { path: "//evil.example/" },
    { path: "/a?b" },
    { path: "/a/../b" },
    { path: "" },
  ])("refuses %o", (options) => {
    expect(() => loopbackRedirect(options)).toThrow(expect.objectContaining({ code: "invalid_options" }));
  });
});

describe("the port of a loopback redirect", () => {
  test("is the one that the client is registered with", async () => {
    const registered = [`http://127.0.0.1:${await findPort()}/callback`];

    const login = await create()({ registered });

    expect(login.uri).toBe(registered[0]);
  });

  test("is another when the registered one is taken", async () => {
    const { port } = await occupy();

    const login = await create()({ registered: [`http://127.0.0.1:${port}/callback`] });

    expect(portOf(login.uri)).not.toBe(port);
    expect((await fetch(login.uri)).status).toBe(400);
  });

  test("is any where the registration leaves it open", async () => {
    const login = await create()({ registered: ["http://127.0.0.1/callback"] });

    expect(portOf(login.uri)).toBeGreaterThan(0);
  });

  test("comes with the host and path that are registered", async () => {
    const registered = `http://localhost:${await findPort()}/oauth/back`;
    const login = await create()({ registered: ["com.example:/back", "https://example.com/callback", registered] });
    const answer = login.visit(LOGIN, { state: "s1", signal: never });

    await fetch(`${login.uri}?code=c&state=s1`);

    expect(login.uri).toBe(registered);
    expect((await answer).get("code")).toBe("c");
  });

  test.each([[["https://example.com/callback"]], [["no address"]], [["http://127.0.0.1:1/callback?x=1"]]])(
    "is free where nothing usable is registered, as with %s",
    async (registered) => {
      const login = await create()({ registered });

      expect(login.uri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    },
  );

  test("that is fixed and taken is an error", async () => {
    const { port } = await occupy();

    const error = await failureOf(create({ port })());

    expect(error).toMatchObject({ code: "address_in_use" });
    expect(error.message).toContain(String(port));
  });

  test("that is fixed serves overlapping logins, each with its own answer", async () => {
    const open = create({ port: await findPort() });
    const [first, second] = await Promise.all([open(), open()]);
    const answers = [
      first.visit(LOGIN, { state: "s1", signal: never }),
      second.visit(LOGIN, { state: "s2", signal: never }),
    ];

    await fetch(`${second.uri}?code=two&state=s2`);
    second.close();
    await fetch(`${first.uri}?code=one&state=s1`);

    expect((await Promise.all(answers)).map((answer) => answer.get("code"))).toEqual(["one", "two"]);
  });

  test("of localhost is held at all its addresses", async () => {
    const login = await create({ host: "localhost" })();
    const port = portOf(login.uri);

    await expect(occupy(port, "127.0.0.1")).rejects.toMatchObject({ code: "EADDRINUSE" });
    expect((await fetch(login.uri)).status).toBe(400);
  });
});

describe("the login page", () => {
  test("is shown in the browser", async () => {
    const shown: string[] = [];
    const login = await create({ openBrowser: (url) => shown.push(url.href) > 0 })();

    const answer = login.visit(LOGIN, { state: "s1", signal: never });
    await fetch(`${login.uri}?code=c&state=s1`);
    await answer;

    expect(shown).toEqual([LOGIN.href]);
  });

  test("is told to the application, with whether a browser was opened", async () => {
    const told: unknown[] = [];
    const onAddress = (url: URL, opened: boolean): void => void told.push([url.href, opened]);

    for (const openBrowser of [() => false, async () => true, false as const]) {
      const login = await create({ openBrowser, onAddress })();
      const answer = login.visit(LOGIN, { state: "s1", signal: never });
      await expect.poll(() => told.length).toBeGreaterThan(0);
      await fetch(`${login.uri}?code=c&state=s1`);
      await answer;
    }

    expect(told).toEqual([
      [LOGIN.href, false],
      [LOGIN.href, true],
      [LOGIN.href, false],
    ]);
  });

  test("is written to stderr when there is no browser and nobody to tell", async () => {
    const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const login = await create({ openBrowser: () => false })();

    const answer = login.visit(LOGIN, { state: "s1", signal: never });
    await expect.poll(() => write.mock.calls.length).toBe(1);
    await fetch(`${login.uri}?code=c&state=s1`);
    await answer;

    expect(String(write.mock.calls[0]?.[0])).toContain(LOGIN.href);
  });

  test("with a dangerous address is not shown", async () => {
    let shown = 0;
    const login = await create({ openBrowser: () => ++shown > 0 })();

    for (const address of ["javascript:alert(1)", "file:///etc/passwd", "http://evil.example/authorize"]) {
      const error = await failureOf(login.visit(new URL(address), { state: "s1", signal: never }));
      expect(error).toMatchObject({ code: "address_refused" });
    }

    expect(shown).toBe(0);
  });

  test("that cannot be shown for a reason ends the login with it", async () => {
    const openBrowser = (): Promise<boolean> => Promise.reject(new RangeError("no screen"));
    const login = await create({ openBrowser })();

    await expect(login.visit(LOGIN, { state: "s1", signal: never })).rejects.toThrow("no screen");

    expect((await fetch(`${login.uri}?code=c&state=s1`)).status).toBe(400);
  });
});
