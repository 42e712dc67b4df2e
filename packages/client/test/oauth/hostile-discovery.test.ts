import { memoryStore, oauth, pageRedirect, type Redirect, type RegisteredClient } from "@mortise/client/oauth";
import { describe, expect, test } from "vitest";
import { startFake } from "../fake-http.js";
import { failureOf, openClient, pause } from "../open-client.js";
import { startDocuments } from "./documents.js";
import { CALLBACK, createRedirect, follow, startWorld, type World } from "./login-world.js";

const OAUTH = "/.well-known/oauth-authorization-server";
const OPENID = "/.well-known/openid-configuration";

/** The error that a client gets from a server that asks for a login, and what the user was shown. */
async function failLogin(world: World, options: { hosted?: boolean } = {}): Promise<Error & { code?: unknown }> {
  const client = openClient({ url: world.server.url, auth: oauth({ redirect: world.redirect, ...options }) });
  const error = await failureOf(client.connect());
  expect(world.visits).toEqual([]);
  return error;
}

/** The paths that an authorization server was asked for. */
function paths({ log }: World): string[] {
  return log.map(({ path }) => path);
}

describe("a login at a server that names dangerous addresses", () => {
  const dangerous = [
    "javascript:alert(1)//",
    " javascript:1",
    "java\tscript:1",
    "file:///etc/passwd",
    "smb://127.0.0.1/x",
    "data:text/html,<script>1</script>",
    "vscode://x",
    "HTTP://auth.example.com/authorize",
    "https://u:p@x.example/",
    "//x.example/a",
    "",
  ];

  test.each(["authorization_endpoint", "token_endpoint", "registration_endpoint"])(
    "shows the user nothing, and sends nothing, for its %s",
    async (member) => {
      const metadata: Record<string, unknown> = {};
      const world = await startWorld({ metadata });

      for (const address of dangerous) {
        metadata[member] = address;
        const error = await failLogin(world);
        expect([address, error]).toMatchObject([address, { code: "address_refused" }]);
        expect(error.message).toContain(`"${member}"`);
      }

      expect(new Set(paths(world))).toEqual(new Set([OAUTH]));
    },
  );

  test.each([
    "http://169.254.169.254/latest/meta-data/",
    "http://[::ffff:169.254.169.254]/",
    "http://2852039166/",
    "http://0xa9.0xfe.0xa9.0xfe/",
    "http://10.0.0.1/",
    "http://[fd00::1]/",
    "http://0.0.0.0:80/",
    "file:///etc/passwd",
    "gopher://x/",
  ])("does not look for metadata at %s", async (address) => {
    const world = await startWorld({ challenge: `resource_metadata="${address}"` });

    expect(await failLogin(world)).toMatchObject({ code: "address_refused" });

    expect(paths(world)).toEqual([]);
    expect(world.server.log.every(({ path }) => path === "/mcp")).toBe(true);
  });

  test("does not ask an authorization server inside", async () => {
    const world = await startWorld({ resource: { authorization_servers: ["http://10.0.0.1"] } });

    expect(await failLogin(world)).toMatchObject({ code: "address_refused" });
  });

  test("ends soon for metadata that never does", async () => {
    const endless = await startFake(({ response }) => {
      const write = (): void => {
        while (response.write("x".repeat(65_536)) && !response.destroyed);
      };
      response.on("drain", write);
      write();
    });
    const world = await startWorld({ challenge: `resource_metadata="${endless.url}"`, publishesResource: false });
    const started = performance.now();

    expect(await failLogin(world)).toMatchObject({ code: "login_failed" });

    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe("a login of a hosted program", () => {
  test("looks for nothing on this machine, even for a server that is there", async () => {
    const world = await startWorld();

    expect(await failLogin(world, { hosted: true })).toMatchObject({ code: "address_refused" });

    expect(paths(world)).toEqual([]);
    expect(world.server.log.every(({ path }) => path === "/mcp")).toBe(true);
  });

  test("does not connect to a name that leads inside", async () => {
    const world = await startWorld({ challenge: 'resource_metadata="https://rebind.example.test/"' });
    const asked: string[] = [];
    const auth = oauth({
      redirect: world.redirect,
      hosted: true,
      resolve: async () => ["127.0.0.1"],
      fetch: async (input) => {
        asked.push(String(input));
        return new Response();
      },
    });
    const client = openClient({ url: world.server.url, auth });

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "address_refused" });
    expect(error.message).toContain("loopback");
    expect(asked).toEqual([]);
  });
});

describe("a login at an authorization server with a path", () => {
  test.each([
    [400, 403],
    [401, 404],
  ])("finds its metadata after refusals with %i and %i", async (first, second) => {
    const server = await startDocuments();
    const world = await startWorld({ resource: { authorization_servers: [`${server.origin}/tenant-a`] } });
    const issuer = `${server.origin}/tenant-a`;
    server.serve({
      [`${OAUTH}/tenant-a`]: first,
      [`${OPENID}/tenant-a`]: second,
      [`/tenant-a${OPENID}`]: {
        issuer,
        authorization_endpoint: `${world.issuer}/authorize`,
        token_endpoint: `${world.issuer}/token`,
        registration_endpoint: `${world.issuer}/register`,
        code_challenge_methods_supported: ["S256"],
      },
    });
    const auth = oauth({ redirect: world.redirect });

    // The page answers as another issuer than the document names, which ends the login after the page.
    expect(await failureOf(auth.login(world.server.url))).toMatchObject({ code: "login_failed" });

    expect(server.paths()).toEqual([`${OAUTH}/tenant-a`, `${OPENID}/tenant-a`, `/tenant-a${OPENID}`]);
    expect(world.visits[0]?.href).toContain(`${world.issuer}/authorize`);
  });
});

describe("a login that registers a client", () => {
  test("shows the user nothing when the registration is refused, and quotes why", async () => {
    const registry = await startDocuments({ "/register": [400, '{"error":"invalid_redirect_uri"}'] });
    const world = await startWorld({ metadata: { registration_endpoint: `${registry.origin}/register` } });

    const error = await failLogin(world);

    expect(error).toMatchObject({ code: "login_failed" });
    expect(error.message).toContain('"invalid_redirect_uri"');
    expect(JSON.parse(registry.fake.log[0]?.text ?? "{}")).toMatchObject({
      application_type: "native",
      redirect_uris: [CALLBACK],
    });
  });

  test("registers again when the address it comes back to is another one", async () => {
    const world = await startWorld();
    const store = memoryStore();
    await oauth({ redirect: world.redirect, store }).login(world.server.url);

    await oauth({ redirect: comeBackTo("http://127.0.0.1:47998/callback"), store }).login(world.server.url);

    const registered = world.log.filter(({ path }) => path === "/register");
    expect(registered.map(({ text }) => JSON.parse(text) as unknown)).toMatchObject([
      { redirect_uris: [CALLBACK] },
      { redirect_uris: ["http://127.0.0.1:47998/callback"] },
    ]);
    expect(world.authorizations()[1]?.get("redirect_uri")).toBe("http://127.0.0.1:47998/callback");
    expect(world.tokenRequests()[1]?.get("redirect_uri")).toBe("http://127.0.0.1:47998/callback");
  });

  test("registers again after the server has said that it does not know the client any more", async () => {
    const forgotten = new Set<string | null>();
    const world = await startWorld({
      token: (params, answer) => {
        const isForgotten = forgotten.has(params.get("client_id"));
        if (isForgotten) answer({ error: "invalid_client" }, 401);
        return isForgotten;
      },
    });
    const auth = oauth({ redirect: world.redirect });
    await auth.login(world.server.url);
    forgotten.add(world.tokenRequests()[0]?.get("client_id") ?? null);

    expect(await failureOf(auth.login(world.server.url))).toMatchObject({ code: "login_failed" });
    await auth.login(world.server.url);

    expect(world.log.filter(({ path }) => path === "/register")).toHaveLength(2);
  });

  test("registers again after the page that comes back has found out that the client is not known any more", async () => {
    const world = await startWorld({
      token: (_params, answer) => {
        answer({ error: "invalid_client" }, 401);
        return true;
      },
    });
    const store = memoryStore();
    const shown: URL[] = [];
    const redirect = pageRedirect({ uri: CALLBACK, navigate: (url) => shown.push(url) });
    for (const count of [1, 2]) {
      void oauth({ redirect, store })
        .login(world.server.url)
        .catch(() => undefined);
      while (shown.length < count) await pause(2);
      const answer = await follow(shown.at(-1) ?? new URL(CALLBACK));

      expect(await failureOf(oauth({ redirect, store }).finish(`${CALLBACK}?${answer}`))).toMatchObject({
        code: "login_failed",
      });
    }

    expect(world.log.filter(({ path }) => path === "/register")).toHaveLength(2);
  });

  test("asks again after a refresh has found out that the client is not known any more", async () => {
    let asked = 0;
    const world = await startWorld({
      metadata: { registration_endpoint: undefined },
      token(params, answer) {
        const isRefresh = params.get("grant_type") === "refresh_token";
        if (isRefresh) answer({ error: "invalid_client" }, 401);
        return isRefresh;
      },
    });
    const askForClient = async (): Promise<RegisteredClient> => {
      asked += 1;
      return { clientId: "asked" };
    };
    const auth = oauth({ redirect: world.redirect, askForClient });
    const client = openClient({ url: world.server.url, auth });
    await client.callTool("echo", { text: "a" });
    world.granted.clear();

    await client.callTool("echo", { text: "b" });

    expect(asked).toBe(2);
  });

  test("registers again for a code on another device", async () => {
    const metadata: Record<string, unknown> = {};
    const world = await startWorld({
      metadata,
      token(_params, answer) {
        answer({ error: "invalid_client" }, 401);
        return true;
      },
    });
    metadata.device_authorization_endpoint = `${world.issuer}/token`;
    const auth = oauth({ onDeviceCode: () => undefined });

    for (let login = 0; login < 2; login += 1)
      expect(await failureOf(auth.login(world.server.url))).toMatchObject({ code: "login_failed" });

    expect(world.log.filter(({ path }) => path === "/register")).toHaveLength(2);
  });

  test("comes back to the registered address when it can", async () => {
    const world = await startWorld();
    const store = memoryStore();
    const asked: (readonly string[])[] = [];
    const redirect: Redirect = {
      ...createRedirect(),
      open: async (login) => {
        asked.push(login.registered);
        return world.redirect.open(login);
      },
    };

    await oauth({ redirect, store }).login(world.server.url);
    await oauth({ redirect, store }).login(world.server.url);

    expect(asked).toEqual([[], [CALLBACK]]);
    expect(world.log.filter(({ path }) => path === "/register")).toHaveLength(1);
  });
});

/** A redirect that any port would do for, and which got this one. */
function comeBackTo(uri: string): Redirect {
  return {
    applicationType: "native",
    uris: ["http://127.0.0.1/callback"],
    open: async () => ({ uri, visit: (url, { signal }) => follow(url, signal), close: () => undefined }),
  };
}
