import { createHash, randomUUID } from "node:crypto";
import type { JsonObject } from "@mortise/core";
import { calculateJwkThumbprint, EmbeddedJWK, generateKeyPair, type JWTVerifyResult, jwtVerify } from "jose";
import { describe, expect, test } from "vitest";
import { isNonceDemand } from "../../src/oauth/challenge.js";
import { createDpop } from "../../src/oauth/dpop.js";
import { readRefusal } from "../../src/oauth/token-refusal.js";
import { clientWith, endpointOf, type FormAnswer, type FormRequest, never, startFormServer } from "./token-server.js";

const BOUND = { access_token: "T1", token_type: "DPoP", expires_in: 60 };
const MCP = new URL("https://mcp.example:8443/a%2Fb/mcp?key=1#part");

async function readProof(proof: unknown): Promise<JWTVerifyResult> {
  return jwtVerify(String(proof), EmbeddedJWK, { typ: "dpop+jwt" });
}

/** Wants the nonce it named last, and names one whenever it is not given. */
function demandNonce(nonce: string): (request: FormRequest) => Promise<FormAnswer> {
  return async ({ headers }) => {
    const { payload } = await readProof(headers.dpop);
    if (payload.nonce === nonce) return { body: BOUND };
    return { status: 400, headers: { "DPoP-Nonce": nonce }, body: { error: "use_dpop_nonce" } };
  };
}

function headersOf(entries: Readonly<Record<string, string>>): (name: string) => string | undefined {
  return (name) => entries[name];
}

describe("at the token endpoint", () => {
  test("a request proves possession of the key", async () => {
    const dpop = await createDpop();
    const server = await startFormServer(() => ({ body: BOUND }));

    const tokens = await endpointOf(server, { dpop }).clientCredentials(undefined, never());

    const { payload, protectedHeader } = await readProof(server.log[0]?.headers.dpop);
    expect(protectedHeader).toMatchObject({ alg: "ES256", typ: "dpop+jwt" });
    expect(protectedHeader.jwk).not.toHaveProperty("d");
    expect(payload).toMatchObject({ htm: "POST", htu: `${server.url}/token` });
    expect(Math.abs((payload.iat ?? 0) - Date.now() / 1000)).toBeLessThan(30);
    expect(payload).not.toHaveProperty("ath");
    expect(tokens.tokenType).toBe("DPoP");
  });

  test("a demand for a nonce is met once, with a new proof", async () => {
    const dpop = await createDpop();
    const server = await startFormServer(demandNonce("n-1"));

    const tokens = await endpointOf(server, { dpop }).clientCredentials(undefined, never());

    const proofs = await Promise.all(server.log.map(({ headers }) => readProof(headers.dpop)));
    expect(proofs.map(({ payload }) => payload.nonce)).toEqual([undefined, "n-1"]);
    expect(new Set(proofs.map(({ payload }) => payload.jti)).size).toBe(2);
    expect(tokens.accessToken).toBe("T1");
  });

  test("a nonce that is known is sent at once", async () => {
    const dpop = await createDpop();
    const server = await startFormServer(demandNonce("n-1"));
    const endpoint = endpointOf(server, { dpop });
    await endpoint.clientCredentials(undefined, never());

    await endpoint.clientCredentials(undefined, never());

    expect(server.log).toHaveLength(3);
  });

  test("a server that is never content with a nonce is not asked a third time", async () => {
    const dpop = await createDpop();
    const server = await startFormServer(() => ({
      status: 400,
      headers: { "DPoP-Nonce": randomUUID() },
      body: { error: "use_dpop_nonce" },
    }));

    const error = await endpointOf(server, { dpop })
      .clientCredentials(undefined, never())
      .catch((reason: unknown) => reason);

    expect(readRefusal(error)?.error).toBe("use_dpop_nonce");
    expect(server.log).toHaveLength(2);
  });

  test("a demand without a nonce is no reason to ask again", async () => {
    const dpop = await createDpop();
    const server = await startFormServer(() => ({ status: 400, body: { error: "use_dpop_nonce" } }));

    await expect(endpointOf(server, { dpop }).clientCredentials(undefined, never())).rejects.toThrow();
    expect(server.log).toHaveLength(1);
  });

  test("a client's assertion is made anew with the proof", async () => {
    const { privateKey } = await generateKeyPair("ES256");
    const dpop = await createDpop();
    const server = await startFormServer(demandNonce("n-1"));
    const client = clientWith({ method: "private_key_jwt", key: { key: privateKey } });

    await endpointOf(server, { dpop, client }).clientCredentials(undefined, never());

    const [first, second] = server.log.map(({ form }) => form.get("client_assertion"));
    expect(first).not.toBe(second);
  });

  test("a token that is not bound is taken, unless only bound ones are wanted", async () => {
    const dpop = await createDpop();
    const server = await startFormServer();

    const tokens = await endpointOf(server, { dpop }).clientCredentials(undefined, never());
    const strict = endpointOf(server, { dpop, dpopRequired: true }).clientCredentials(undefined, never());

    expect(tokens.tokenType).toBe("Bearer");
    await expect(strict).rejects.toMatchObject({ code: "login_failed" });
  });
});

describe("at a protected server", () => {
  test("a request carries the token and a proof for it", async () => {
    const dpop = await createDpop();

    const headers = await dpop.createHeaders({ url: MCP, method: "post", accessToken: "the-token" });

    const { payload } = await readProof(headers.DPoP);
    expect(headers.Authorization).toBe("DPoP the-token");
    expect(payload).toMatchObject({
      htm: "POST",
      htu: "https://mcp.example:8443/a%2Fb/mcp",
      ath: createHash("sha256").update("the-token").digest("base64url"),
    });
  });

  test("every proof is another", async () => {
    const dpop = await createDpop();
    const request = { url: MCP, method: "POST", accessToken: "t" };

    const made = await Promise.all(Array.from({ length: 20 }, () => dpop.createHeaders(request)));

    const proofs = await Promise.all(made.map(({ DPoP }) => readProof(DPoP)));
    expect(new Set(proofs.map(({ payload }) => payload.jti)).size).toBe(20);
  });

  test("nonces are kept for the origin that gave them", async () => {
    const dpop = await createDpop();
    dpop.learn(new URL("https://as.example/token"), headersOf({ "dpop-nonce": "from-as" }));
    dpop.learn(new URL("https://mcp.example:8443/other"), headersOf({ "dpop-nonce": "from-mcp" }));
    dpop.learn(MCP, headersOf({}));

    const { DPoP } = await dpop.createHeaders({ url: MCP, method: "GET", accessToken: "t" });

    expect((await readProof(DPoP)).payload.nonce).toBe("from-mcp");
  });

  test("a refusal that brings a nonce and asks for it is only a demand for it", async () => {
    const dpop = await createDpop();
    const challenge = 'Bearer realm="x", DPoP error="use_dpop_nonce", algs="ES256"';

    const header = headersOf({ "www-authenticate": challenge, "dpop-nonce": "n-2" });
    dpop.learn(MCP, header);
    const demand = isNonceDemand(header);

    const { DPoP } = await dpop.createHeaders({ url: MCP, method: "POST", accessToken: "t" });
    expect(demand).toBe(true);
    expect((await readProof(DPoP)).payload.nonce).toBe("n-2");
  });

  test.each([
    { "www-authenticate": 'DPoP error="invalid_token"', "dpop-nonce": "n" },
    { "www-authenticate": 'DPoP error="use_dpop_nonce"' },
    { "www-authenticate": 'DPoP error_description="use_dpop_nonce error=use_dpop_nonce"', "dpop-nonce": "n" },
    { "dpop-nonce": "n" },
  ])("any other refusal is one: %j", (headers) => {
    expect(isNonceDemand(headersOf(headers as Record<string, string>))).toBe(false);
  });
});

describe("the key", () => {
  test("can be kept and used again", async () => {
    const first = await createDpop();
    const kept = JSON.parse(JSON.stringify(first.stored)) as JsonObject;

    const second = await createDpop({ stored: kept });

    const { DPoP } = await second.createHeaders({ url: MCP, method: "POST", accessToken: "t" });
    const { jwk } = (await readProof(DPoP)).protectedHeader;
    expect(await calculateJwkThumbprint(jwk ?? {})).toBe(await first.thumbprint());
    expect(await second.thumbprint()).toBe(await first.thumbprint());
  });

  test("that was kept comes before one of the runtime, since tokens are bound to it", async () => {
    const kept = await createDpop();
    const keyPair = await generateKeyPair("ES256");

    const dpop = await createDpop({ stored: kept.stored, keyPair });

    expect(await dpop.thumbprint()).toBe(await kept.thumbprint());
  });

  test("is another one each time when none is kept", async () => {
    const [first, second] = await Promise.all([createDpop(), createDpop()]);

    expect(await first.thumbprint()).not.toBe(await second.thumbprint());
  });

  test.each(["ES256", "EdDSA", "ES384"])("is made for what the server lists: %s", async (algorithm) => {
    const dpop = await createDpop({ algorithms: ["HS256", algorithm] });
    const again = await createDpop({ stored: dpop.stored });

    const { DPoP } = await again.createHeaders({ url: MCP, method: "POST", accessToken: "t" });
    expect((await readProof(DPoP)).protectedHeader.alg).toBe(algorithm);
  });

  test.each([
    { listed: undefined, named: "EdDSA" },
    { listed: ["EdDSA", "Ed25519"], named: "EdDSA" },
    { listed: ["ES256", "Ed25519"], named: "Ed25519" },
  ])("of the kind Ed25519 is named $named for a server that lists $listed", async ({ listed, named }) => {
    const keyPair = await generateKeyPair("EdDSA");
    const dpop = await createDpop({ keyPair, algorithms: listed });

    const { DPoP } = await dpop.createHeaders({ url: MCP, method: "POST", accessToken: "t" });

    expect((await readProof(DPoP)).protectedHeader.alg).toBe(named);
  });

  test("of the runtime is used, and not kept", async () => {
    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: false });
    const dpop = await createDpop({ keyPair: { privateKey, publicKey } });

    const { DPoP } = await dpop.createHeaders({ url: MCP, method: "POST", accessToken: "t" });

    await expect(jwtVerify(DPoP ?? "", publicKey)).resolves.toBeDefined();
    expect(dpop.stored).toBeUndefined();
  });

  test.each<JsonObject>([
    {},
    { kty: "EC", crv: "P-256", x: "SECRETSECRET", y: "b", d: "SECRETSECRET", alg: "ES256" },
    { kty: "oct", k: "SECRETSECRET" },
  ])("that was kept and cannot be read is refused without a word of it", async (stored) => {
    const error = await createDpop({ stored }).catch((reason: unknown) => reason);

    expect(error).toMatchObject({ code: "invalid_options" });
    expect(String(error)).not.toContain("SECRETSECRET");
  });
});
