import { clientCredentials, enterpriseManaged, workloadIdentity } from "@mortise/client/oauth";
import { exportPKCS8, generateKeyPair, jwtVerify } from "jose";
import { expect, test } from "vitest";
import { openClient } from "../open-client.js";
import { startWorld, type World, type WorldOptions } from "./login-world.js";
import { startFormServer } from "./token-server.js";

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const ID_JAG = "urn:ietf:params:oauth:token-type:id-jag";

/** A world that takes assertions. */
function startTaking(assertion: string, options: WorldOptions = {}): Promise<World> {
  let world: World | undefined;
  const starting = startWorld({
    token: (params, answer) => {
      if (params.get("grant_type") !== JWT_BEARER) return false;
      if (params.get("assertion") !== assertion) answer({ error: "invalid_grant" }, 400);
      else {
        world?.granted.set("access-m", { scope: "", client: "", resource: params.get("resource") });
        answer({ access_token: "access-m", token_type: "Bearer", expires_in: 60 });
      }
      return true;
    },
    ...options,
  });
  void starting.then((started) => {
    world = started;
  });
  return starting;
}

test("a program lets itself in with its secret, and asks nobody", async () => {
  const world = await startWorld();
  const auth = clientCredentials({ clientId: "machine", secret: "s3", issuer: world.issuer });
  const client = openClient({ url: world.server.url, auth });

  const result = await client.callTool("echo", { text: "a" });

  const token = world.log.find(({ path }) => path === "/token");
  expect(result.text).toBe("a");
  expect(token?.headers.authorization).toBe(`Basic ${btoa("machine:s3")}`);
  expect(token?.params.get("resource")).toBe(world.server.url);
  expect(world.log.some(({ path }) => path === "/authorize" || path === "/register")).toBe(false);
});

test("a program lets itself in with its key", async () => {
  const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
  const world = await startWorld();
  const key = { key: await exportPKCS8(privateKey), algorithm: "ES256" };
  const client = openClient({ url: world.server.url, auth: clientCredentials({ clientId: "machine", key }) });

  await client.callTool("echo", { text: "a" });

  const [params] = world.tokenRequests("client_credentials");
  const { payload } = await jwtVerify(params?.get("client_assertion") ?? "", publicKey, { audience: world.issuer });
  expect(payload).toMatchObject({ iss: "machine", sub: "machine" });
});

test("a program gets another token when its token ends", async () => {
  const world = await startWorld({ tokenMembers: { refresh_token: null } });
  const client = openClient({ url: world.server.url, auth: clientCredentials({ clientId: "machine", secret: "s3" }) });
  await client.callTool("echo", { text: "a" });

  world.granted.clear();
  const result = await client.callTool("echo", { text: "b" });

  expect(result.text).toBe("b");
  expect(world.tokenRequests("client_credentials")).toHaveLength(2);
});

test("a workload presents what its platform gave it", async () => {
  const world = await startTaking("platform.jwt");
  const client = openClient({
    url: world.server.url,
    auth: workloadIdentity({ clientId: "workload", assertion: async () => "platform.jwt" }),
  });

  const result = await client.callTool("echo", { text: "a" });

  expect(result.text).toBe("a");
  expect(world.tokenRequests().map((params) => params.get("grant_type"))).toEqual([JWT_BEARER]);
});

test("a workload needs to be no client of the server's", async () => {
  const world = await startTaking("platform.jwt");
  const auth = workloadIdentity({ assertion: "platform.jwt" });
  const client = openClient({ url: world.server.url, auth });
  await client.callTool("echo", { text: "a" });

  world.granted.clear();
  const result = await client.callTool("echo", { text: "b" });

  expect(result.text).toBe("b");
  expect(world.tokenRequests().map((params) => params.has("client_id"))).toEqual([false, false]);
});

test("a workload whose platform is not trusted is told so after one request", async () => {
  const world = await startTaking("platform.jwt");
  const client = openClient({
    url: world.server.url,
    auth: workloadIdentity({ clientId: "workload", assertion: "other.jwt" }),
  });

  await expect(client.callTool("echo", { text: "a" })).rejects.toMatchObject({ code: "login_failed" });
  expect(world.tokenRequests()).toHaveLength(1);
});

test("a person whom the organization vouches for is let in without being asked", async () => {
  const world = await startTaking("the-grant");
  const idp = await startFormServer(() => ({
    body: { access_token: "the-grant", token_type: "N_A", issued_token_type: ID_JAG },
  }));
  const auth = enterpriseManaged({
    clientId: "app",
    secret: "s3",
    provider: { issuer: idp.url, tokenEndpoint: `${idp.url}/token`, client: { clientId: "app-at-idp" } },
    subjectToken: "the-id-token",
  });
  const client = openClient({ url: world.server.url, auth });

  const result = await client.callTool("echo", { text: "a" });

  expect(result.text).toBe("a");
  expect(Object.fromEntries(idp.log[0]?.form ?? [])).toMatchObject({
    subject_token: "the-id-token",
    audience: world.issuer,
    resource: world.server.url,
    client_id: "app-at-idp",
  });
  expect(world.log.find(({ path }) => path === "/token")?.headers.authorization).toBe(`Basic ${btoa("app:s3")}`);
});

test.each([
  ["a workload", (issuer: string) => workloadIdentity({ issuer, assertion: "the-platform's.jwt" })],
  ["a program", (issuer: string) => clientCredentials({ issuer, clientId: "machine", secret: "s3" })],
])("%s presents itself to no other authorization server than its own", async (_, create) => {
  const world = await startTaking("the-platform's.jwt");
  const client = openClient({ url: world.server.url, auth: create("https://login.example") });

  await expect(client.callTool("echo", { text: "a" })).rejects.toMatchObject({ code: "login_required" });
  expect(world.log.filter(({ method }) => method === "POST")).toEqual([]);
});

test.each<[string, () => unknown]>([
  ["a secret that is empty", () => clientCredentials({ clientId: "machine", secret: "" })],
  ["neither a secret nor a key", () => clientCredentials({ clientId: "machine" })],
  ["no id", () => clientCredentials({ clientId: "", secret: "s3cret" })],
  ["a method without a key", () => workloadIdentity({ clientId: "w", method: "private_key_jwt", assertion: "a" })],
  [
    "an empty secret at the identity provider",
    () =>
      enterpriseManaged({
        clientId: "app",
        provider: {
          issuer: "https://a.test",
          tokenEndpoint: "https://a.test/t",
          client: { clientId: "b", secret: "" },
        },
        subjectToken: "id",
      }),
  ],
])("a client with %s is refused when it is made", (_, create) => {
  expect(create).toThrow(expect.objectContaining({ code: "invalid_options" }));
});
