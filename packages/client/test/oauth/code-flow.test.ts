import { oauth } from "@mortise/client/oauth";
import { describe, expect, test } from "vitest";
import { failureOf, openClient } from "../open-client.js";
import { CALLBACK, createRedirect, startWorld } from "./login-world.js";

describe("a login with a login page", () => {
  test("happens when the server asks for it, and the request is sent again", async () => {
    const world = await startWorld();
    const client = openClient({ url: world.server.url, auth: oauth({ redirect: world.redirect }) });

    const result = await client.callTool("echo", { text: "hi" });

    expect(result.text).toBe("hi");
    expect(world.visits).toHaveLength(1);
    expect(world.tokenRequests()).toHaveLength(1);
  });

  test("uses PKCE, a state of its own, and one redirect address throughout", async () => {
    const world = await startWorld();
    const auth = oauth({ redirect: world.redirect });

    await auth.login(world.server.url);
    await auth.login(world.server.url);

    const [first, second] = world.authorizations();
    expect(first?.get("response_type")).toBe("code");
    expect(first?.get("code_challenge_method")).toBe("S256");
    expect(first?.get("code_challenge")).not.toBe(second?.get("code_challenge"));
    expect(first?.get("state")?.length).toBeGreaterThanOrEqual(32);
    expect(first?.get("state")).not.toBe(second?.get("state"));
    expect(first?.get("redirect_uri")).toBe(CALLBACK);
    expect(world.tokenRequests()[0]?.get("redirect_uri")).toBe(CALLBACK);
  });

  test("keeps what the address of the login page has in its query", async () => {
    const metadata: Record<string, unknown> = {};
    const world = await startWorld({ metadata });
    metadata.authorization_endpoint = `${world.issuer}/authorize?tenant=a%2Fb`;

    await oauth({ redirect: world.redirect }).login(world.server.url);

    expect(world.authorizations()[0]?.get("tenant")).toBe("a/b");
  });

  test("does not happen where there is nobody to ask", async () => {
    const world = await startWorld();
    const client = openClient({ url: world.server.url, auth: oauth() });

    expect(await failureOf(client.connect())).toMatchObject({ code: "login_required" });
    expect(world.authorizations()).toEqual([]);
  });

  test("sends none of the client's own headers to the authorization server", async () => {
    const world = await startWorld();
    const client = openClient({
      url: world.server.url,
      headers: { Authorization: "Bearer OLD", "X-Team": "7" },
      auth: oauth({ redirect: world.redirect }),
    });

    await client.callTool("echo", { text: "hi" });

    const seen = JSON.stringify(world.log.map(({ headers }) => headers));
    expect(seen).not.toContain("Bearer OLD");
    expect(seen).not.toContain("x-team");
    expect(world.server.log.at(-1)?.headers["x-team"]).toBe("7");
    expect(world.calls()).not.toContain("OLD");
  });

  test("registers a client of this machine as a native one", async () => {
    const world = await startWorld();

    await oauth({ redirect: world.redirect }).login(world.server.url);

    const registration = JSON.parse(world.log.find(({ path }) => path === "/register")?.text ?? "{}") as object;
    expect(registration).toMatchObject({ application_type: "native", redirect_uris: [CALLBACK] });
  });

  test("shows no login page when the registration was refused, and says why", async () => {
    const world = await startWorld({ metadata: { registration_endpoint: undefined } });
    const refusing = await startWorld({ metadata: { registration_endpoint: `${world.issuer}/missing` } });

    const error = await failureOf(oauth({ redirect: refusing.redirect }).login(refusing.server.url));

    expect(error).toMatchObject({ code: "login_failed" });
    expect(error.message).toContain("not_found");
    expect(refusing.visits).toEqual([]);
  });

  test("gives up when the token request is refused, and quotes the server", async () => {
    const world = await startWorld({
      token: (_, answer) => {
        answer({ error: "invalid_grant", error_description: "too late" }, 400);
        return true;
      },
    });
    const client = openClient({ url: world.server.url, auth: oauth({ redirect: world.redirect }) });

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "login_failed" });
    expect(error.message).toContain("invalid_grant");
    expect(error.message).toContain("too late");
    expect(world.visits).toHaveLength(1);
  });

  test("hands on what the redirect itself says", async () => {
    const world = await startWorld();
    const redirect = {
      ...world.redirect,
      open: async () => ({
        uri: CALLBACK,
        visit: () => Promise.reject(new Error("no display")),
        close: () => undefined,
      }),
    };

    expect(await failureOf(oauth({ redirect }).login(world.server.url))).toMatchObject({
      code: "login_failed",
      cause: { message: "no display" },
    });
  });
});

describe("the resource of a login", () => {
  test.each([
    ["without a slash", "/mcp", ""],
    ["with encoded characters", "/a%2Fb/mcp", "/a%2Fb/mcp"],
  ])("is sent as published, %s, in every request", async (_, path, published) => {
    const resource: Record<string, unknown> = {};
    const world = await startWorld({ resource, tokenMembers: { expires_in: 0 } });
    const { origin } = new URL(world.server.url);
    resource.resource = `${origin}${published}`;
    const client = openClient({ url: `${origin}${path}`, auth: oauth({ redirect: world.redirect }) });

    await client.callTool("echo", { text: "hi" });

    const sent = [...world.authorizations(), ...world.tokenRequests()].map((params) => params.getAll("resource"));
    expect(world.tokenRequests("refresh_token").length).toBeGreaterThan(0);
    expect(new Set(sent.flat())).toEqual(new Set([resource.resource]));
  });

  test("is left out for an issuer that refuses it, and for that one alone", async () => {
    const world = await startWorld();
    const other = await startWorld();
    const auth = oauth({ redirect: world.redirect, issuers: { [world.issuer]: { omitResource: true } } });

    await auth.login(world.server.url);
    await auth.login(other.server.url);

    expect(world.authorizations()[0]?.has("resource")).toBe(false);
    expect(world.tokenRequests()[0]?.has("resource")).toBe(false);
    expect(other.tokenRequests()[0]?.get("resource")).toBe(other.server.url);
  });
});

describe("PKCE", () => {
  test.each([
    ["does not say that it supports it", undefined],
    ["supports it only without a hash", ["plain"]],
  ])("is demanded of a server that %s", async (_, methods) => {
    const world = await startWorld({ metadata: { code_challenge_methods_supported: methods } });

    const error = await failureOf(oauth({ redirect: world.redirect }).login(world.server.url));

    expect(error).toMatchObject({ code: "login_failed" });
    expect(world.visits).toEqual([]);
    expect(world.log.some(({ path }) => path === "/register")).toBe(false);
  });

  test("is used all the same where the program lets an issuer omit it", async () => {
    const world = await startWorld({ metadata: { code_challenge_methods_supported: undefined } });
    const issuers = { [world.issuer]: { allowMissingPkce: true } };

    await oauth({ redirect: world.redirect, issuers }).login(world.server.url);

    expect(world.authorizations()[0]?.get("code_challenge_method")).toBe("S256");
  });
});

describe("the scopes of a login", () => {
  test.each([
    [
      "those of the challenge",
      { challenge: 'scope="mcp:basic"', resource: { scopes_supported: ["other"] } },
      "mcp:basic",
    ],
    ["else those that the server supports", { resource: { scopes_supported: ["a", "b"] } }, "a b"],
    ["else none", {}, null],
    [
      "with offline access where it is offered",
      { challenge: 'scope="a"', metadata: { scopes_supported: ["a", "offline_access"] } },
      "a offline_access",
    ],
    [
      "without offline access where it is not",
      { resource: { scopes_supported: ["a", "offline_access"] }, metadata: { scopes_supported: ["a"] } },
      "a",
    ],
  ])("are %s", async (_, options, expected) => {
    const world = await startWorld(options);
    const client = openClient({ url: world.server.url, auth: oauth({ redirect: world.redirect }) });

    await client.connect();

    expect(world.authorizations()[0]?.get("scope")).toBe(expected);
  });

  test("have those besides that the program wants", async () => {
    const world = await startWorld({ challenge: 'scope="a"' });
    const client = openClient({ url: world.server.url, auth: oauth({ redirect: world.redirect, scope: "b a" }) });

    await client.connect();

    expect(world.authorizations()[0]?.get("scope")).toBe("a b");
  });

  test("make the user agree anew where that is what refresh tokens take", async () => {
    const world = await startWorld({ metadata: { scopes_supported: ["offline_access"] } });

    await oauth({ redirect: world.redirect }).login(world.server.url);

    expect(world.authorizations()[0]?.get("prompt")).toBe("consent");
  });
});

/** Adds values of one parameter to an answer. */
function append(name: string, ...values: readonly string[]): (answer: URLSearchParams) => void {
  return (answer) => {
    for (const value of values) answer.append(name, value);
  };
}

describe("the answer of a login page", () => {
  const other = "http://127.0.0.1:9";
  test.each<[string, boolean, (answer: URLSearchParams) => void, number]>([
    ["names the issuer as announced", true, () => undefined, 1],
    ["does not name it though announced", true, (answer) => answer.delete("iss"), 0],
    ["names another that was not announced", false, (answer) => answer.set("iss", other), 0],
    ["names none, as announced", false, (answer) => answer.delete("iss"), 1],
    ["names it with a slash more", true, (answer) => answer.set("iss", `${answer.get("iss")}/`), 0],
    ["names it with nothing", false, (answer) => answer.set("iss", ""), 0],
    ["names two", true, (answer) => answer.append("iss", other), 0],
    ["has another state", true, (answer) => answer.set("state", "guess"), 0],
    ["has no state", true, (answer) => answer.delete("state"), 0],
    ["has no code", true, (answer) => answer.delete("code"), 0],
    ["has two codes", true, (answer) => answer.append("code", "another"), 0],
    ["has an empty code", true, (answer) => answer.set("code", ""), 0],
    ["names the issuer twice", true, (answer) => answer.append("iss", answer.get("iss") ?? ""), 0],
    ["has its state twice", true, (answer) => answer.append("state", answer.get("state") ?? ""), 0],
    ["has two errors", true, append("error", "access_denied", "server_error"), 0],
    ["has an empty error", true, (answer) => answer.set("error", ""), 1],
    ["has a token besides", true, (answer) => answer.set("token", "T"), 0],
    ["has an ID token besides", true, (answer) => answer.set("id_token", "T"), 0],
    ["is signed, which nobody asked for", true, (answer) => answer.set("response", "e30.e30."), 0],
  ])("that %s is redeemed or not", async (_, announced, page, tokenRequests) => {
    const metadata = { authorization_response_iss_parameter_supported: announced };
    const world = await startWorld({ page, metadata });
    const outcome = oauth({ redirect: world.redirect }).login(world.server.url);

    if (tokenRequests === 0) expect(await failureOf(outcome)).toMatchObject({ code: "login_failed" });
    else await outcome;

    expect(world.tokenRequests()).toHaveLength(tokenRequests);
  });

  test.each([
    ["another issuer", (answer: URLSearchParams) => answer.set("iss", other)],
    ["no issuer though announced", (answer: URLSearchParams) => answer.delete("iss")],
  ])("that is an error of %s is not shown", async (_, from) => {
    const world = await startWorld({
      page: (answer) => {
        answer.delete("code");
        answer.set("error", "access_denied");
        answer.set("error_description", "call 555");
        from(answer);
      },
    });

    const error = await failureOf(oauth({ redirect: world.redirect }).login(world.server.url));

    expect(error).toMatchObject({ code: "login_failed" });
    expect(error.message).not.toMatch(/555|denied/);
    expect(JSON.stringify(error.cause) ?? "").not.toContain("555");
  });

  test.each([
    ["access_denied", "login_denied"],
    ["temporarily_unavailable", "login_failed"],
  ])("that says %s fails the login and is quoted, shortened", async (said, code) => {
    const world = await startWorld({
      page: (answer) => {
        answer.delete("code");
        answer.set("error", said);
        answer.set("error_description", `because\u0007 ${"x".repeat(5_000)}`);
      },
    });

    const error = await failureOf(oauth({ redirect: world.redirect }).login(world.server.url));

    expect(error).toMatchObject({ code });
    expect(error.message).toContain(said);
    expect(error.message.length).toBeLessThan(500);
    expect(error.message).not.toContain("\u0007");
  });
});

describe("an authorization server", () => {
  test("that calls itself another is not used", async () => {
    const world = await startWorld({ metadata: { issuer: "http://127.0.0.1:9" } });

    const error = await failureOf(oauth({ redirect: createRedirect() }).login(world.server.url));

    expect(error).toMatchObject({ code: "login_failed" });
    expect(world.log.map(({ path }) => path)).not.toContain("/register");
    expect(world.authorizations()).toEqual([]);
  });

  test("can be selected where there are several", async () => {
    const first = await startWorld();
    const second = await startWorld();
    const resource: Record<string, unknown> = {};
    const world = await startWorld({ resource });
    resource.authorization_servers = [first.issuer, second.issuer];
    const offered: unknown[] = [];
    const auth = oauth({
      redirect: world.redirect,
      selectIssuer: (issuers) => {
        offered.push(...issuers);
        return issuers[1] ?? "";
      },
    });

    await auth.login(world.server.url);

    expect(offered).toEqual([first.issuer, second.issuer]);
    expect(first.log).toEqual([]);
    expect(second.tokenRequests()).toHaveLength(1);
  });

  test("that the client is registered with comes first where there are several", async () => {
    const first = await startWorld();
    const second = await startWorld();
    const resource: Record<string, unknown> = {};
    const world = await startWorld({ resource });
    resource.authorization_servers = [first.issuer, second.issuer];
    const client = { issuer: second.issuer, clientId: "known" };

    await oauth({ redirect: world.redirect, client }).login(world.server.url);

    expect(second.authorizations()[0]?.get("client_id")).toBe("known");
    expect(first.log).toEqual([]);
  });

  test("is not shown a client that belongs to another", async () => {
    const world = await startWorld({ metadata: { registration_endpoint: undefined } });
    const client = { issuer: "https://other.example", clientId: "client-of-other", secret: "secret-of-other" };

    const error = await failureOf(oauth({ redirect: world.redirect, client }).login(world.server.url));

    expect(error).toMatchObject({ code: "login_required" });
    expect(JSON.stringify(world.log)).not.toMatch(/-of-other/);
  });
});

test("no login happens for a server that tokens would be sent to over plain http", async () => {
  const visited: string[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    visited.push(String(input));
    return new Response("{}", { status: 404 });
  };
  const auth = oauth({ redirect: createRedirect(), fetch });

  const failure = await failureOf(auth.login("http://192.168.1.5/mcp"));

  expect(failure).toMatchObject({ code: "address_refused" });
  expect(visited).toEqual([]);
});
