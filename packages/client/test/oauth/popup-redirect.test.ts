import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { answerPopup } from "../../src/oauth/popup-channel.js";
import { type PopupWindow, popupRedirect } from "../../src/oauth/popup-redirect.js";
import type { OpenRedirect } from "../../src/oauth/redirect.js";
import { failureOf } from "../open-client.js";

const ORIGIN = "https://app.example";
const URI = `${ORIGIN}/login/done`;
const LOGIN = new URL("https://as.example/authorize?state=s1");
const never = new AbortController().signal;

type Listener = (event: Event) => void;

/** The channel between pages of one origin, as browsers have it: whoever posts does not hear it. */
class FakeChannel {
  static readonly open = new Set<FakeChannel>();
  static origin = ORIGIN;
  readonly #listeners = new Set<Listener>();

  constructor() {
    FakeChannel.open.add(this);
  }

  postMessage(data: unknown): void {
    for (const other of FakeChannel.open) {
      if (other === this) continue;
      for (const listener of other.#listeners)
        listener(Object.assign(new Event("message"), { origin: FakeChannel.origin, data: structuredClone(data) }));
    }
  }

  addEventListener(_type: string, listener: Listener): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: string, listener: Listener): void {
    this.#listeners.delete(listener);
  }

  close(): void {
    FakeChannel.open.delete(this);
  }
}

/** The page that begins logins, with one window for each. */
class FakePage {
  readonly target = new EventTarget();
  readonly windows: (PopupWindow & { closed: boolean; readonly url: string })[] = [];

  readonly open = (url: string): PopupWindow => {
    const popup = {
      url,
      closed: false,
      close: () => {
        popup.closed = true;
      },
    };
    this.windows.push(popup);
    return popup;
  };

  send(data: unknown, origin = ORIGIN): void {
    this.target.dispatchEvent(Object.assign(new Event("message"), { origin, data }));
  }

  async login(): Promise<OpenRedirect> {
    return await popupRedirect({ uri: URI, open: this.open }).open({ registered: [], signal: never });
  }
}

let page: FakePage;

beforeEach(() => {
  page = new FakePage();
  FakeChannel.open.clear();
  FakeChannel.origin = ORIGIN;
  vi.stubGlobal("BroadcastChannel", FakeChannel);
  vi.stubGlobal("location", { origin: ORIGIN });
  vi.stubGlobal("addEventListener", page.target.addEventListener.bind(page.target));
  vi.stubGlobal("removeEventListener", page.target.removeEventListener.bind(page.target));
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** The page that logins come back to, opened with an answer; `opener` hears what it posts, if there still is one. */
function arrive(query: string, opener: object | null = null): Arrival {
  const seen = { posted: [] as unknown[], replaced: [] as string[], closed: 0 };
  const done = answerPopup({
    location: { href: URI + query, origin: ORIGIN },
    opener: opener === null ? null : { postMessage: (...message: unknown[]) => seen.posted.push(message) },
    history: { replaceState: (_state, _title, url) => seen.replaced.push(url) },
    close: () => {
      seen.closed += 1;
    },
  });
  return { done, ...seen };
}

interface Arrival {
  readonly done: boolean;
  readonly posted: readonly unknown[];
  readonly replaced: readonly string[];
  readonly closed: number;
}

describe("a login in a window of its own", () => {
  test("gets the answer over the channel of its origin, and closes the window", async () => {
    const login = await page.login();
    const answer = login.visit(LOGIN, { state: "s1", signal: never });

    arrive("?code=a%2Bb&state=s1&iss=https%3A%2F%2Fas.example");

    expect([...(await answer)]).toEqual([
      ["code", "a+b"],
      ["state", "s1"],
      ["iss", "https://as.example"],
    ]);
    expect(page.windows).toMatchObject([{ url: LOGIN.href, closed: true }]);
    expect(FakeChannel.open.size).toBe(0);
  });

  test("gets the answer from the window itself where there are no channels", async () => {
    vi.stubGlobal("BroadcastChannel", undefined);
    const answer = (await page.login()).visit(LOGIN, { state: "s1", signal: never });

    const { posted } = arrive("?code=c&state=s1", {});
    const [message, target] = posted[0] as [unknown, string];
    page.send(message);

    expect(target).toBe(ORIGIN);
    expect((await answer).get("code")).toBe("c");
  });

  test("hears nobody of another origin, nor anything else that is said", async () => {
    const answer = (await page.login()).visit(LOGIN, { state: "s1", signal: never });
    const forged = { channel: "mortise:login", search: "?code=forged&state=s1" };

    page.send(forged, "https://evil.example");
    page.send(forged, `${ORIGIN}.evil.example`);
    page.send(forged, "null");
    FakeChannel.origin = "https://app.example:8443";
    new FakeChannel().postMessage(forged);
    FakeChannel.origin = ORIGIN;
    for (const other of [null, "text", { search: "?code=forged&state=s1" }, { channel: "mortise:login", search: 1 }])
      page.send(other);
    arrive("?code=other&state=s2");
    arrive("?code=twice&state=s1&state=s1");
    arrive("?code=right&state=s1");

    expect((await answer).get("code")).toBe("right");
  });

  test("has its own answer beside another login", async () => {
    const [first, second] = [await page.login(), await page.login()];
    const answers = [
      first.visit(LOGIN, { state: "s1", signal: never }),
      second.visit(LOGIN, { state: "s2", signal: never }),
    ];

    arrive("?code=two&state=s2");
    arrive("?code=one&state=s1");

    expect((await Promise.all(answers)).map((answer) => answer.get("code"))).toEqual(["one", "two"]);
  });

  test("is denied when the browser blocks the window", async () => {
    const redirect = popupRedirect({ uri: URI, open: () => null });
    const login = await redirect.open({ registered: [], signal: never });

    const error = await failureOf(login.visit(LOGIN, { state: "s1", signal: never }));

    expect(error).toMatchObject({ code: "login_denied" });
    expect(FakeChannel.open.size).toBe(0);
  });

  test("is denied when the user closes the window", async () => {
    vi.useFakeTimers();
    const answer = failureOf((await page.login()).visit(LOGIN, { state: "s1", signal: never }));
    await vi.advanceTimersByTimeAsync(2_000);

    page.windows[0]!.closed = true;
    await vi.advanceTimersByTimeAsync(2_000);

    expect(await answer).toMatchObject({ code: "login_denied" });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("is not taken for closed by a login page that cut itself off, as long as the user is there", async () => {
    vi.useFakeTimers();
    vi.stubGlobal("document", { hasFocus: () => false });
    const answer = (await page.login()).visit(LOGIN, { state: "s1", signal: never });

    page.windows[0]!.closed = true;
    await vi.advanceTimersByTimeAsync(60_000);
    arrive("?code=c&state=s1");

    expect((await answer).get("code")).toBe("c");
  });

  test("closes the window and ends with the reason of the signal", async () => {
    const giveUp = new AbortController();
    const answer = (await page.login()).visit(LOGIN, { state: "s1", signal: giveUp.signal });

    giveUp.abort(new Error("enough"));

    await expect(answer).rejects.toThrow("enough");
    expect(page.windows[0]?.closed).toBe(true);
  });

  test("opens no window once the signal has aborted, or it was closed", async () => {
    const login = await page.login();

    await expect(login.visit(LOGIN, { state: "s1", signal: AbortSignal.abort(new Error("late")) })).rejects.toThrow(
      "late",
    );
    login.close();
    expect(await failureOf(login.visit(LOGIN, { state: "s1", signal: never }))).toMatchObject({ code: "aborted" });

    expect(page.windows).toEqual([]);
  });

  test("never opens a dangerous address", async () => {
    const login = await page.login();

    const error = await failureOf(login.visit(new URL("javascript:alert(1)"), { state: "s1", signal: never }));

    expect(error).toMatchObject({ code: "address_refused" });
    expect(page.windows).toEqual([]);
  });

  test("opens with window.open and the features that are asked for", async () => {
    const open = vi.fn((..._args: unknown[]) => page.open(""));
    vi.stubGlobal("open", open);
    const login = await popupRedirect({ uri: URI, features: "popup,width=1" }).open({ registered: [], signal: never });

    const answer = login.visit(LOGIN, { state: "s1", signal: never });
    arrive("?code=c&state=s1");
    await answer;

    expect(open).toHaveBeenCalledExactlyOnceWith(LOGIN.href, "_blank", "popup,width=1");
  });

  test.each(["https://other.example/done", "http://app.example/done", "/done"])("cannot come back to %s", (uri) => {
    expect(() => popupRedirect({ uri })).toThrow(expect.objectContaining({ code: "invalid_options" }));
  });
});

describe("the page that a window comes back to", () => {
  test("takes the answer out of its address and closes itself", () => {
    const { done, posted, replaced, closed } = arrive("?code=c&state=s1", {});

    expect({ done, posted, replaced, closed }).toEqual({
      done: true,
      posted: [[{ channel: "mortise:login", search: "?code=c&state=s1" }, ORIGIN]],
      replaced: ["/login/done"],
      closed: 1,
    });
  });

  test("does nothing when it is opened without an answer", () => {
    const { done, posted, replaced, closed } = arrive("?tab=2", {});

    expect({ done, posted, replaced, closed }).toEqual({ done: false, posted: [], replaced: [], closed: 0 });
  });
});
