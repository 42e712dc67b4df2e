import { createHash } from "node:crypto";
import { type CredentialStore, memoryStore, oauth } from "@mortise/client/oauth";
import { decodeJwt, decodeProtectedHeader, EmbeddedJWK, type JWTPayload, jwtVerify } from "jose";
import { expect, test } from "vitest";
import type { Reply } from "../fake-http.js";
import { serveModern } from "../modern-server.js";
import { openClient } from "../open-client.js";
import { challenge, startWorld, type World, type WorldOptions } from "./login-world.js";

/** A world whose tokens are good with a proof alone. `nonce` is what proofs at the server have to have. */
function startBound(options: WorldOptions & { readonly nonce?: () => string } = {}): Promise<World> {
  const { nonce, ...rest } = options;
  return startWorld({
    metadata: { dpop_signing_alg_values_supported: ["ES256"] },
    tokenMembers: { token_type: "DPoP" },
    refuse: (reply, granted) => {
      if (granted === undefined) return false;
      const { authorization, dpop } = reply.request.headers;
      if (!authorization?.startsWith("DPoP ") || dpop === undefined) {
        challenge(reply);
        return true;
      }
      const expected = nonce?.();
      if (expected === undefined || decodeJwt(String(dpop)).nonce === expected) return false;
      demandNonce(reply, expected);
      return true;
    },
    ...rest,
  });
}

function demandNonce(reply: Reply, nonce: string): void {
  reply.status(401, "", { "www-authenticate": 'DPoP error="use_dpop_nonce"', "dpop-nonce": nonce });
}

/** The proofs of all requests that came with a token. */
function proofsOf(world: World): JWTPayload[] {
  const sent = world.server.log.filter(({ headers }) => headers.authorization !== undefined);
  return sent.map(({ headers }) => decodeJwt(String(headers.dpop)));
}

test("every request carries the token under its own scheme, and a proof of its own", async () => {
  const world = await startBound();
  const client = openClient({
    url: `${world.server.url}?team=7`,
    auth: oauth({ redirect: world.redirect, dpop: true }),
  });

  await client.callTool("echo", { text: "a" });
  await client.callTool("echo", { text: "b" });

  const [token = ""] = world.granted.keys();
  const proofs = proofsOf(world);
  expect(proofs.length).toBeGreaterThan(2);
  for (const proof of proofs)
    expect(proof).toMatchObject({
      htm: "POST",
      htu: world.server.url,
      ath: createHash("sha256").update(token).digest("base64url"),
    });
  expect(new Set(proofs.map(({ jti }) => jti)).size).toBe(proofs.length);
  expect(world.server.log.every(({ headers }) => !headers.authorization?.startsWith("Bearer"))).toBe(true);
});

test("the key of the token request signs the proofs that follow", async () => {
  const world = await startBound();
  const client = openClient({ url: world.server.url, auth: oauth({ redirect: world.redirect, dpop: true }) });

  await client.callTool("echo", { text: "a" });

  const proofs = [
    world.log.find(({ path }) => path === "/token")?.headers.dpop,
    world.server.log.at(-1)?.headers.dpop,
  ].map(String);
  for (const proof of proofs) await expect(jwtVerify(proof, EmbeddedJWK, { typ: "dpop+jwt" })).resolves.toBeDefined();
  const [first, last] = proofs.map((proof) => decodeProtectedHeader(proof).jwk);
  expect(first).toEqual(last);
});

test("a server that demands nonces gets each one that it names, without another login", async () => {
  let nonce = "n-1";
  const world = await startBound({ nonce: () => nonce });
  const client = openClient({ url: world.server.url, auth: oauth({ redirect: world.redirect, dpop: true }) });
  await client.callTool("echo", { text: "a" });

  nonce = "n-2";
  const result = await client.callTool("echo", { text: "b" });

  expect(result.text).toBe("b");
  expect(proofsOf(world).map((proof) => proof.nonce)).toContain("n-1");
  expect(proofsOf(world).at(-1)?.nonce).toBe("n-2");
  expect(world.visits).toHaveLength(1);
  expect(world.tokenRequests()).toHaveLength(1);
});

test("a server that never has enough of nonces does not keep the client busy", async () => {
  let count = 0;
  const world = await startBound({ nonce: () => `n-${count++}` });
  const client = openClient({ url: world.server.url, auth: oauth({ redirect: world.redirect, dpop: true }) });

  await expect(client.callTool("echo", { text: "a" })).rejects.toThrow();
  expect(world.server.log.length).toBeLessThan(20);
  expect(world.visits.length).toBeLessThan(4);
});

test("a nonce that comes with any answer is used from then on", async () => {
  const serve = serveModern();
  const world = await startBound({
    serve: (reply) => {
      reply.response.setHeader("dpop-nonce", "n-next");
      serve(reply);
    },
  });
  const client = openClient({ url: world.server.url, auth: oauth({ redirect: world.redirect, dpop: true }) });
  await client.callTool("echo", { text: "a" });

  await client.callTool("echo", { text: "b" });

  expect(proofsOf(world).at(-1)?.nonce).toBe("n-next");
});

test("the next program finds the key beside the tokens", async () => {
  const world = await startBound();
  const store: CredentialStore = memoryStore();
  const open = (): ReturnType<typeof openClient> =>
    openClient({ url: world.server.url, auth: oauth({ redirect: world.redirect, dpop: true, store }) });
  await open().callTool("echo", { text: "a" });

  const result = await open().callTool("echo", { text: "b" });

  expect(result.text).toBe("b");
  expect(world.visits).toHaveLength(1);
  const keys = world.server.log.flatMap(({ headers: { dpop } }) =>
    dpop === undefined ? [] : [JSON.stringify(decodeProtectedHeader(String(dpop)).jwk)],
  );
  expect(new Set(keys).size).toBe(1);
});

test("a refresh proves possession of the same key", async () => {
  const world = await startBound();
  const client = openClient({ url: world.server.url, auth: oauth({ redirect: world.redirect, dpop: true }) });
  await client.callTool("echo", { text: "a" });

  world.granted.clear();
  await client.callTool("echo", { text: "b" });

  const proofs = world.log.filter(({ path }) => path === "/token").map(({ headers }) => String(headers.dpop));
  expect(world.tokenRequests("refresh_token")).toHaveLength(1);
  expect(new Set(proofs.map((proof) => JSON.stringify(decodeProtectedHeader(proof).jwk))).size).toBe(1);
});
