import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DeviceCode, memoryStore, oauth } from "@mortise/client/oauth";
import { fileStore } from "@mortise/client/oauth/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { openProtected, seatUser, startServers } from "../src/login/program.js";

const CALLS = [1, 2, 3, 4, 5, 6];

describe("a login with a real authorization server", () => {
  test("registers the client, asks the user, and lets the call in", async () => {
    const { authorization, server } = await startServers();
    const user = seatUser();
    const clientMetadata = { client_name: "Weather desk" };
    const client = openProtected(server.url, oauth({ redirect: user.redirect, clientMetadata }));

    const { text } = await client.callTool("read");

    expect(text).toBe("read with mcp:read");
    expect(authorization.registrations).toMatchObject([
      { client_name: "Weather desk", application_type: "native", token_endpoint_auth_method: "none" },
    ]);
    expect(authorization.tokenRequests).toMatchObject([
      { grant: "authorization_code", method: "none", resource: server.url },
    ]);
    expect(authorization.tokenRequests[0]).not.toHaveProperty("error");
    expect(user.browser.visited.at(-1)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  });

  test("happens once for calls that come together, before and after the token ended", async () => {
    const { authorization, server } = await startServers();
    const user = seatUser();
    const client = openProtected(server.url, oauth({ redirect: user.redirect }));

    const first = await Promise.all(CALLS.map(() => client.callTool("read")));
    server.expireTokens();
    const second = await Promise.all(CALLS.map(() => client.callTool("read")));
    server.expireTokens();
    const third = await Promise.all(CALLS.map(() => client.callTool("read")));

    expect([...first, ...second, ...third].map(({ text }) => text)).toEqual(Array(18).fill("read with mcp:read"));
    expect(user.logins()).toBe(1);
    expect(authorization.tokenRequests.map(({ grant, error }) => error ?? grant)).toEqual([
      "authorization_code",
      "refresh_token",
      "refresh_token",
    ]);
    expect(server.tokens.size).toBe(3);
  });

  test("is shared by authorizers with one file, which refresh once between them", async () => {
    const { authorization, server } = await startServers();
    const folder = mkdtempSync(join(tmpdir(), "login-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const user = seatUser();
    const open = () => {
      const store = fileStore(join(folder, "credentials.json"));
      return openProtected(server.url, oauth({ redirect: user.redirect, store }));
    };
    const clients = [open(), open(), open()];

    await Promise.all(clients.map((client) => client.callTool("read")));
    server.expireTokens();
    await Promise.all(clients.map((client) => client.callTool("read")));
    await open().callTool("read");

    expect(user.logins()).toBe(1);
    expect(authorization.registrations).toHaveLength(1);
    expect(authorization.tokenRequests.map(({ grant, error }) => error ?? grant)).toEqual([
      "authorization_code",
      "refresh_token",
    ]);
  });

  test("asks for more rights when a tool needs them, and keeps those that it has", async () => {
    const { server } = await startServers();
    const user = seatUser();
    const client = openProtected(server.url, oauth({ redirect: user.redirect }));
    await client.callTool("read");

    const { text } = await client.callTool("write");

    expect(text.split(" ").slice(2).sort()).toEqual(["mcp:read", "mcp:write"]);
    expect(user.logins()).toBe(2);
  });

  test("asks for the scopes of the challenge before those that the server lists", async () => {
    const { server } = await startServers({ challengeScope: "mcp:write mcp:read", scopesSupported: ["mcp:read"] });
    const user = seatUser();
    const client = openProtected(server.url, oauth({ redirect: user.redirect }));

    const { text } = await client.callTool("write");

    expect(text.split(" ").slice(2).sort()).toEqual(["mcp:read", "mcp:write"]);
    expect(user.logins()).toBe(1);
  });

  test("that the user refuses is denied, and costs no request for tokens", async () => {
    const { authorization, server } = await startServers();
    const user = seatUser({ refuses: true });
    const client = openProtected(server.url, oauth({ redirect: user.redirect }));

    await expect(client.callTool("read")).rejects.toMatchObject({ code: "login_denied" });

    expect(authorization.tokenRequests).toEqual([]);
    expect(user.logins()).toBe(1);
  });

  test.each([
    ["without its issuer", (url: URL) => url.searchParams.delete("iss")],
    ["of another issuer", (url: URL) => url.searchParams.set("iss", "https://evil.example")],
    [
      "of an issuer that is written differently",
      (url: URL) => url.searchParams.set("iss", `${url.searchParams.get("iss")}/`),
    ],
  ])("does not redeem an answer %s", async (_name, tamper) => {
    const { authorization, server } = await startServers();
    const user = seatUser({ redirected: (url) => url.searchParams.has("code") && tamper(url) });

    const error = await openProtected(server.url, oauth({ redirect: user.redirect }))
      .callTool("read")
      .catch((reason: unknown) => reason);

    expect(error).toMatchObject({ code: "login_failed" });
    expect(authorization.tokenRequests).toEqual([]);
  });

  test("for a server that the authorization server gives no tokens for fails, and says so", async () => {
    const { authorization, server } = await startServers();
    authorization.resources.delete(server.url);
    const client = openProtected(server.url, oauth({ redirect: seatUser().redirect }));

    const error = await client.callTool("read").catch((reason: unknown) => reason);

    expect(error).toMatchObject({ code: "login_failed" });
    expect(String(error)).toContain("invalid_target");
  });

  test("ends at the authorization server, too, when the program logs out", async () => {
    const { authorization, server } = await startServers();
    const user = seatUser();
    const auth = oauth({ redirect: user.redirect });
    const client = openProtected(server.url, auth);
    await client.callTool("read");
    const [token = ""] = server.tokens;

    await auth.logout(server.url);

    expect(authorization.revoked).toContain("refresh_token");
    expect(await authorization.provider.AccessToken.find(token)).toBeUndefined();
    await client.callTool("read");
    expect(user.logins()).toBe(2);
  });

  test("can be made up front, with more scopes", async () => {
    const { server } = await startServers();
    const user = seatUser();
    const auth = oauth({ redirect: user.redirect });

    await auth.login(server.url, { scope: "mcp:read mcp:write" });
    const { text } = await openProtected(server.url, auth).callTool("write");

    expect(text.split(" ").slice(2).sort()).toEqual(["mcp:read", "mcp:write"]);
    expect([user.logins(), server.statuses.includes(403)]).toEqual([1, false]);
  });

  test("goes on as another registered client when the old one is gone", async () => {
    const { authorization, server } = await startServers();
    const user = seatUser();
    const store = memoryStore();
    await openProtected(server.url, oauth({ redirect: user.redirect, store })).callTool("read");
    const [first] = authorization.registrations;
    await authorization.forgetClient(first?.client_id ?? "");
    server.expireTokens();

    const { text } = await openProtected(server.url, oauth({ redirect: user.redirect, store })).callTool("read");

    expect(text).toBe("read with mcp:read");
    expect(authorization.registrations).toHaveLength(2);
  });
});

describe("a login without a browser", () => {
  test("shows a code, and waits until the user has typed it in elsewhere", async () => {
    const { authorization, server } = await startServers();
    const { browser } = seatUser();
    const shown: string[] = [];
    const auth = oauth({
      onDeviceCode({ userCode, completeUrl }) {
        shown.push(userCode);
        void browser.visit(completeUrl ?? "");
      },
    });

    const { text } = await openProtected(server.url, auth).callTool("read");

    expect(text).toBe("read with mcp:read");
    expect(shown).toHaveLength(1);
    expect(authorization.tokenRequests.at(-1)?.grant).toBe("urn:ietf:params:oauth:grant-type:device_code");
  });

  test("that the user refuses elsewhere is denied", async () => {
    const { server } = await startServers();
    const { browser } = seatUser({ refuses: true });
    const onDeviceCode = ({ completeUrl }: DeviceCode): void => void browser.visit(completeUrl ?? "");

    const error = await openProtected(server.url, oauth({ onDeviceCode }))
      .callTool("read")
      .catch((reason: unknown) => reason);

    expect(error).toMatchObject({ code: "login_denied" });
  });

  test("is required, and there is nobody to ask", async () => {
    const { authorization, server } = await startServers();

    const error = await openProtected(server.url, oauth())
      .callTool("read")
      .catch((reason: unknown) => reason);

    expect(error).toMatchObject({ code: "login_required" });
    expect(authorization.registrations).toEqual([]);
  });
});
