import { afterEach, describe, expect, test, vi } from "vitest";
import { pageRedirect } from "../../src/oauth/page-redirect.js";
import { failureOf } from "../open-client.js";

const LOGIN = new URL("https://as.example/authorize?state=s1");
const URI = "https://app.example/login/done";

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("a redirect of the whole page", () => {
  test("goes to the login page, and waits for the page to end", async () => {
    const visited: string[] = [];
    const giveUp = new AbortController();
    const redirect = pageRedirect({ uri: URI, navigate: (url) => visited.push(url.href) });
    const login = await redirect.open({ registered: [], signal: giveUp.signal });

    const waiting = login.visit(LOGIN, { state: "s1", signal: giveUp.signal });
    const first = await Promise.race([waiting, Promise.resolve("waiting")]);
    giveUp.abort(new Error("enough"));

    expect(first).toBe("waiting");
    expect([login.uri, visited]).toEqual([URI, [LOGIN.href]]);
    await expect(waiting).rejects.toThrow("enough");
  });

  test("leaves by the page's own location", async () => {
    const assign = vi.fn();
    vi.stubGlobal("location", { assign, origin: "https://app.example" });
    const { signal } = new AbortController();
    const login = await pageRedirect({ uri: URI }).open({ registered: [], signal });

    const waiting = login.visit(LOGIN, { state: "s1", signal });
    login.close();

    expect(await failureOf(waiting)).toMatchObject({ code: "aborted" });
    expect(assign).toHaveBeenCalledExactlyOnceWith(LOGIN);
  });

  test.each(["javascript:alert(1)", "http://evil.example/", "data:text/html,x"])(
    "never goes to %s",
    async (address) => {
      const navigate = vi.fn();
      const { signal } = new AbortController();
      const login = await pageRedirect({ uri: URI, navigate }).open({ registered: [], signal });

      const error = await failureOf(login.visit(new URL(address), { state: "s1", signal }));

      expect(error).toMatchObject({ code: "address_refused" });
      expect(navigate).not.toHaveBeenCalled();
    },
  );

  test("goes nowhere once the signal has aborted", async () => {
    const navigate = vi.fn();
    const signal = AbortSignal.abort(new Error("late"));
    const login = await pageRedirect({ uri: URI, navigate }).open({ registered: [], signal });

    await expect(login.visit(LOGIN, { state: "s1", signal })).rejects.toThrow("late");

    expect(navigate).not.toHaveBeenCalled();
  });

  test("is a web application, or a native one on this machine", () => {
    expect(pageRedirect({ uri: URI })).toMatchObject({ applicationType: "web", uris: [URI] });
    expect(pageRedirect({ uri: "http://localhost:5173/done" }).applicationType).toBe("native");
  });

  test.each(["", "done", "http://app.example/done", "https://app.example/#done", "com.example:/done"])(
    "cannot come back to %o",
    (uri) => {
      expect(() => pageRedirect({ uri })).toThrow(expect.objectContaining({ code: "invalid_options" }));
    },
  );
});
