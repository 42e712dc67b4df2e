import { describe, expect, test } from "vitest";
import { createSendGuarded, type GuardedFetchOptions } from "../../src/oauth/guarded-fetch.js";
import type { GuardedAnswer, GuardedRequest } from "../../src/oauth/guarded-request.js";
import { startFake } from "../fake-http.js";
import { failureOf } from "../open-client.js";

const SERVER = new URL("http://127.0.0.1:1/mcp");

type Options = Partial<GuardedFetchOptions>;

/** Sends one guarded request for a server on this machine. */
function send(url: string, options: Options = {}, request: Partial<GuardedRequest> = {}): Promise<GuardedAnswer> {
  const guarded = createSendGuarded({ server: SERVER, hosted: false, ...options });
  return guarded({ url, named: "a test", signal: new AbortController().signal, ...request });
}

/** A `fetch` that answers from a table, and what it was asked for. */
function fakeFetch(answers: Record<string, () => Response>): { fetch: typeof fetch; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    fetch: async (input) => {
      asked.push(String(input));
      return answers[String(input)]?.() ?? new Response("", { status: 404 });
    },
  };
}

const redirect = (location: string) => () => new Response(null, { status: 302, headers: { location } });

/** What a runtime gives that follows redirects whatever it is told. */
function followed(url: string): Response {
  const response = new Response("{}");
  return Object.defineProperties(response, { redirected: { value: true }, url: { value: url } });
}

describe("a guarded request", () => {
  test("takes no answer from where it would not have gone, also when the runtime went there by itself", async () => {
    const fetch = async (): Promise<Response> => followed("https://169.254.169.254/latest");

    expect(await failureOf(send("https://as.example/a", { fetch }))).toMatchObject({ code: "address_refused" });
  });

  test("takes no answer to what it posted from anywhere else", async () => {
    const fetch = async (): Promise<Response> => followed("https://other.example/token");
    const posting = send("https://as.example/token", { fetch }, { method: "POST", body: "code=c" });

    expect(await failureOf(posting)).toMatchObject({ code: "login_failed" });
  });

  test("gives status, headers and text", async () => {
    const fake = await startFake((reply) => reply.status(418, "käse", { "x-a": "b" }));

    const answer = await send(fake.url);

    expect(answer.status).toBe(418);
    expect(answer.text).toBe("käse");
    expect(answer.header("X-A")).toBe("b");
    expect(answer.header("x-b")).toBeUndefined();
  });

  test("sends method, headers and body", async () => {
    const fake = await startFake((reply) => reply.json({}));

    await send(fake.url, {}, { method: "POST", headers: { "content-type": "application/json" }, body: '{"id":1}' });

    expect(fake.log[0]).toMatchObject({ method: "POST", text: '{"id":1}' });
    expect(fake.log[0]?.headers["content-type"]).toBe("application/json");
  });

  test("sends nothing to an address that it may not visit", async () => {
    const { fetch, asked } = fakeFetch({});

    for (const url of [
      "http://169.254.169.254/",
      "http://0xa9.0xfe.0xa9.0xfe/",
      "https://u:p@a.test/",
      "file:///etc/passwd",
    ])
      expect(await failureOf(send(url, { fetch }))).toMatchObject({ code: "address_refused" });

    expect(asked).toEqual([]);
  });

  test("is refused on this machine for a server that is elsewhere", async () => {
    const fake = await startFake((reply) => reply.json({}));

    const error = await failureOf(send(fake.url, { server: new URL("https://mcp.example.com/") }));

    expect(error).toMatchObject({ code: "address_refused" });
    expect(fake.log).toEqual([]);
  });

  test("is refused on this machine in a hosted program, even for a server that is there", async () => {
    const fake = await startFake((reply) => reply.json({}));

    expect(await failureOf(send(fake.url, { hosted: true }))).toMatchObject({ code: "address_refused" });

    expect(fake.log).toEqual([]);
  });

  test("rejects with the reason of the signal", async () => {
    const controller = new AbortController();
    const fake = await startFake(() => controller.abort(new Error("enough")));

    const error = await failureOf(send(fake.url, {}, { signal: controller.signal }));

    expect(error.message).toBe("enough");
  });

  test("names the address and the reason when nothing listens there", async () => {
    const error = await failureOf(send("http://127.0.0.1:9/secret?key=hidden-value"));

    expect(error).toMatchObject({ code: "login_failed" });
    expect(error.message).toContain("http://127.0.0.1:9/secret");
    expect(error.message).not.toContain("hidden-value");
  });
});

describe("limits of a guarded request", () => {
  test("an answer that is too large is not read to its end, and not repeated", async () => {
    const fake = await startFake(({ response }) => {
      const write = (): void => {
        while (response.write("body-text ".repeat(10_000)) && !response.destroyed);
      };
      response.on("drain", write);
      write();
    });

    const error = await failureOf(send(fake.url));

    expect(error).toMatchObject({ code: "login_failed" });
    expect(error.message).toContain("262144 bytes");
    expect(error.message).not.toContain("body-text");
  });

  test("the size can be set", async () => {
    const fake = await startFake((reply) => reply.status(200, "x".repeat(100)));

    expect((await send(fake.url, { maxBytes: 100 })).text).toHaveLength(100);
    expect(await failureOf(send(fake.url, { maxBytes: 99 }))).toMatchObject({ code: "login_failed" });
  });

  test("an answer that never comes ends with the time", async () => {
    const fake = await startFake(() => undefined);

    expect((await failureOf(send(fake.url, { timeoutMs: 100 }))).message).toContain("100 ms");
  });

  test("a body that drips ends with the time, however often something comes", async () => {
    const fake = await startFake(({ response }) => {
      const timer = setInterval(() => response.write(" "), 10);
      response.on("close", () => clearInterval(timer));
    });

    expect((await failureOf(send(fake.url, { timeoutMs: 150 }))).message).toContain("150 ms");
  });

  test("a fetch that does not hear the signal is not waited for", async () => {
    const fetch = (): Promise<Response> => new Promise(() => undefined);

    expect(await failureOf(send(SERVER.href, { fetch, timeoutMs: 50 }))).toMatchObject({ code: "login_failed" });
  });
});

describe("redirects of a guarded request", () => {
  test("are followed for a GET, to other places that may be visited too", async () => {
    const target = await startFake((reply) => reply.status(200, "there"));
    const fake = await startFake((reply) => reply.status(302, "", { location: target.url }));

    expect((await send(fake.url)).text).toBe("there");
  });

  test.each(["http://169.254.169.254/", "https://[::ffff:a9fe:a9fe]/", "http://example.com/", "file:///etc/passwd"])(
    "are not followed to %s",
    async (location) => {
      const { fetch, asked } = fakeFetch({ "http://127.0.0.1:1/a": redirect(location) });

      expect(await failureOf(send("http://127.0.0.1:1/a", { fetch }))).toMatchObject({ code: "address_refused" });
      expect(asked).toEqual(["http://127.0.0.1:1/a"]);
    },
  );

  test("are checked at every hop", async () => {
    const { fetch, asked } = fakeFetch({
      "https://a.example.com/": redirect("https://b.example.com/"),
      "https://b.example.com/": redirect("https://10.0.0.1/"),
    });

    const error = await failureOf(
      send("https://a.example.com/", { fetch, server: new URL("https://mcp.example.com/") }),
    );

    expect(error).toMatchObject({ code: "address_refused" });
    expect(asked).toEqual(["https://a.example.com/", "https://b.example.com/"]);
  });

  test("do not lead from https to http", async () => {
    const { fetch } = fakeFetch({ "https://a.example.com/": redirect("http://127.0.0.1:1/") });

    expect(await failureOf(send("https://a.example.com/", { fetch }))).toMatchObject({ code: "login_failed" });
  });

  test("end when they go in a circle", async () => {
    const fake = await startFake((reply) => reply.status(302, "", { location: "/mcp" }));

    expect(await failureOf(send(fake.url))).toMatchObject({ code: "login_failed" });

    expect(fake.log.length).toBeLessThanOrEqual(20);
  });

  test.each([undefined, "http://[", ""])("without a valid address (%j) are a failure", async (location) => {
    const fake = await startFake((reply) => reply.status(302, "", location === undefined ? {} : { location }));

    expect(await failureOf(send(fake.url))).toMatchObject({ code: "login_failed" });
  });

  test.each([301, 302, 303, 307, 308])("HTTP %i is never followed for a POST", async (status) => {
    const decoy = await startFake((reply) => reply.json({}));
    const fake = await startFake((reply) => reply.status(status, "", { location: decoy.url }));

    const error = await failureOf(send(fake.url, {}, { method: "POST", body: '{"code":"secret"}' }));

    expect(error).toMatchObject({ code: "login_failed" });
    expect(decoy.log).toEqual([]);
    expect(fake.log).toHaveLength(1);
  });

  test("that a browser hides are followed by it, and count by where they ended", async () => {
    const hidden = (final: string): typeof fetch => {
      return async (_, init) => {
        const isHidden = init?.redirect === "manual";
        return Object.defineProperties(new Response("there"), {
          type: { value: isHidden ? "opaqueredirect" : "cors" },
          url: { value: isHidden ? "" : final },
        });
      };
    };

    const fine = await send("https://a.example.com/", { fetch: hidden("https://b.example.com/") });
    const inside = send("https://a.example.com/", { fetch: hidden("https://169.254.169.254/") });

    expect(fine.text).toBe("there");
    expect(await failureOf(inside)).toMatchObject({ code: "address_refused" });
  });
});

/** A `fetch` of a browser, which does not tell where a redirect leads, and how it was told to take redirects. */
function hiddenRedirect(): { fetch: typeof fetch; modes: unknown[] } {
  const modes: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (_, init) => {
    modes.push(init?.redirect);
    return Object.defineProperties(new Response(), { type: { value: "opaqueredirect" }, status: { value: 0 } });
  };
  return { fetch, modes };
}

test.each([false, true])(
  "a redirect that a browser hides is never followed for a POST (hosted: %s)",
  async (hosted) => {
    const { fetch, modes } = hiddenRedirect();

    const error = await failureOf(
      send("https://a.example.com/", { fetch, hosted }, { method: "POST", body: "code=c" }),
    );

    expect(error).toMatchObject({ code: "login_failed" });
    expect(error.message).toContain("it answered with a redirect");
    expect(modes).toEqual(["manual"]);
  },
);

test("a redirect that a browser hides is not followed in a hosted program", async () => {
  const { fetch, modes } = hiddenRedirect();

  expect(await failureOf(send("https://a.example.com/", { fetch, hosted: true }))).toMatchObject({
    code: "login_failed",
  });
  expect(modes).toEqual(["manual"]);
});

describe("names of guarded requests", () => {
  const server = new URL("https://mcp.example.com/");

  test("are resolved and refused when one address may not be visited", async () => {
    const { fetch, asked } = fakeFetch({});
    const resolve = async () => ["93.184.216.34", "::ffff:169.254.169.254"];

    const error = await failureOf(send("https://rebind.example.com/", { fetch, server, resolve, hosted: true }));

    expect(error).toMatchObject({ code: "address_refused" });
    expect(asked).toEqual([]);
  });

  test("that are no names are not resolved", async () => {
    const fake = await startFake((reply) => reply.status(200, "there"));
    const resolve = () => Promise.reject(new Error("not a name"));

    expect((await send(fake.url, { resolve })).text).toBe("there");
  });

  test("that cannot be resolved are not asked", async () => {
    const { fetch, asked } = fakeFetch({});
    const resolve = () => Promise.reject(new Error("no such host"));

    expect(await failureOf(send("https://a.example.com/", { fetch, server, resolve }))).toMatchObject({
      code: "login_failed",
    });
    expect(asked).toEqual([]);
  });

  test("are asked when all their addresses may be visited", async () => {
    const { fetch } = fakeFetch({ "https://a.example.com/": () => new Response("there") });
    const resolve = async () => ["93.184.216.34", "2606:4700::1111"];

    expect((await send("https://a.example.com/", { fetch, server, resolve, hosted: true })).text).toBe("there");
  });
});
