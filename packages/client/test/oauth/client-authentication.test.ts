import {
  exportJWK,
  exportPKCS8,
  type GenerateKeyPairResult,
  generateKeyPair,
  importJWK,
  type JWTVerifyResult,
  jwtVerify,
} from "jose";
import { expect, test } from "vitest";
import type { SigningKey } from "../../src/oauth/token-set.js";
import { clientWith, endpointOf, type FormRequest, metadataOf, never, startFormServer } from "./token-server.js";

test("sends id and secret in one header, encoded as a form encodes them", async () => {
  const server = await startFormServer();
  const client = clientWith({ method: "client_secret_basic", secret: "p:w/d+1 é" }, "id:1-2_3.4 ü");

  await endpointOf(server, { client }).clientCredentials(undefined, never());

  const sent = atob(server.log[0]?.headers.authorization?.replace("Basic ", "") ?? "");
  expect(sent).toBe("id%3A1-2_3.4+%C3%BC:p%3Aw%2Fd%2B1+%C3%A9");
  expect([...(server.log[0]?.form.keys() ?? [])]).toEqual(["resource", "grant_type"]);
});

test("leaves an id as it is where a form would, for servers that never decode", async () => {
  const server = await startFormServer();
  const client = clientWith({ method: "client_secret_basic", secret: "a-b.c_d*" }, "5b3c-77.x_y");

  await endpointOf(server, { client }).clientCredentials(undefined, never());

  expect(atob(server.log[0]?.headers.authorization?.replace("Basic ", "") ?? "")).toBe("5b3c-77.x_y:a-b.c_d*");
});

test("sends id and secret in the body, and nothing in a header", async () => {
  const server = await startFormServer();
  const client = clientWith({ method: "client_secret_post", secret: "s e&c=r" });

  await endpointOf(server, { client }).clientCredentials(undefined, never());

  expect(server.log[0]?.form.get("client_id")).toBe("client-1");
  expect(server.log[0]?.form.get("client_secret")).toBe("s e&c=r");
  expect(server.log[0]?.headers.authorization).toBeUndefined();
});

test("names a client without a secret in the body alone", async () => {
  const server = await startFormServer();

  await endpointOf(server).clientCredentials(undefined, never());

  expect(server.log[0]?.form.get("client_id")).toBe("client-1");
  expect(server.log[0]?.headers.authorization).toBeUndefined();
});

const ALGORITHMS = ["ES256", "RS256", "EdDSA", "ES384"] as const;
/** Making an RSA key takes long: all tests share one. */
const rsaPairs = new Map<string, Promise<GenerateKeyPairResult>>();
function makePair(algorithm: string): Promise<GenerateKeyPairResult> {
  const made = rsaPairs.get(algorithm) ?? generateKeyPair(algorithm, { extractable: true });
  if (algorithm === "RS256") rsaPairs.set(algorithm, made);
  return made;
}
const FORMS = ["PEM", "JWK", "CryptoKey"] as const;

test.each(ALGORITHMS.flatMap((algorithm) => FORMS.map((form) => ({ algorithm, form }))))(
  "signs $algorithm assertions with a $form",
  async ({ algorithm, form }) => {
    const { publicKey, privateKey } = await makePair(algorithm);
    const key = await writeKey(privateKey, form);
    const server = await startFormServer();
    const client = clientWith({ method: "private_key_jwt", key: { key, algorithm, keyId: "k1" } });

    await endpointOf(server, { client }).clientCredentials(undefined, never());

    const { protectedHeader } = await readAssertion(server.log[0], publicKey, server.url);
    expect(protectedHeader).toMatchObject({ alg: algorithm, kid: "k1" });
  },
);

test.each(["ES256", "RS256", "EdDSA", "ES384"])("finds out that a PEM holds a key for %s", async (algorithm) => {
  const { publicKey, privateKey } = await makePair(algorithm);
  const server = await startFormServer();
  const client = clientWith({ method: "private_key_jwt", key: { key: await exportPKCS8(privateKey) } });

  await endpointOf(server, { client }).clientCredentials(undefined, never());

  expect((await readAssertion(server.log[0], publicKey, server.url)).protectedHeader.alg).toBe(algorithm);
});

test("reads a PEM that was written on one line", async () => {
  const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
  const server = await startFormServer();
  const key = (await exportPKCS8(privateKey)).replaceAll("\n", "\\n");
  const client = clientWith({ method: "private_key_jwt", key: { key } });

  await endpointOf(server, { client }).clientCredentials(undefined, never());

  await expect(readAssertion(server.log[0], publicKey, server.url)).resolves.toBeDefined();
});

test("signs an RSA JWK with what the server lists", async () => {
  const { publicKey, privateKey } = await makePair("RS256");
  const server = await startFormServer();
  const { alg: _alg, ...key } = await exportJWK(privateKey);
  const client = clientWith({ method: "private_key_jwt", key: { key: { ...key } as Record<string, string> } });
  const metadata = metadataOf(server, { tokenAuthAlgorithmsSupported: ["PS256"] });

  await endpointOf(server, { client, metadata }).clientCredentials(undefined, never());

  const pss = await importJWK(await exportJWK(publicKey), "PS256");
  expect((await readAssertion(server.log[0], pss, server.url)).protectedHeader.alg).toBe("PS256");
});

test("makes each assertion for the issuer, for a minute and for one use", async () => {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const server = await startFormServer();
  const client = clientWith({ method: "private_key_jwt", key: { key: privateKey } });
  const endpoint = endpointOf(server, { client, metadata: metadataOf(server, { issuer: "https://As.Example/t/" }) });

  await endpoint.clientCredentials(undefined, never());
  await endpoint.clientCredentials(undefined, never());

  const read = await Promise.all(server.log.map((one) => readAssertion(one, publicKey, "https://As.Example/t/")));
  const [first, second] = read.map(({ payload }) => payload);
  expect(first).toMatchObject({ iss: "client-1", sub: "client-1", aud: "https://As.Example/t/" });
  expect((first?.exp ?? 0) - (first?.iat ?? 0)).toBeLessThanOrEqual(120);
  expect(first?.jti).not.toBe(second?.jti);
});

test.each<{ what: string; key: SigningKey }>([
  { what: "text that is no PEM", key: { key: "-----BEGIN SECRETSECRET-----" } },
  { what: "a JWK without its private part", key: { key: { kty: "EC", crv: "P-256", x: "SECRETSECRET", y: "AA" } } },
  { what: "a JWK that is a shared secret", key: { key: { kty: "oct", k: "SECRETSECRET" } } },
  { what: "an unknown algorithm", key: { key: { kty: "EC", crv: "P-256", d: "SECRETSECRET" }, algorithm: "none" } },
])("refuses $what without a word of it", async ({ key }) => {
  const server = await startFormServer();
  const client = clientWith({ method: "private_key_jwt", key });

  const error = await endpointOf(server, { client })
    .clientCredentials(undefined, never())
    .catch((reason: unknown) => reason);

  expect(error).toMatchObject({ code: "invalid_options" });
  expect(error).not.toHaveProperty("cause");
  expect(String(error)).not.toContain("SECRETSECRET");
  expect(server.log).toHaveLength(0);
});

async function writeKey(key: CryptoKey, form: (typeof FORMS)[number]): Promise<SigningKey["key"]> {
  if (form === "PEM") return exportPKCS8(key);
  if (form === "CryptoKey") return key;
  return { ...((await exportJWK(key)) as Record<string, string>) }; // text alone
}

async function readAssertion(
  request: FormRequest | undefined,
  key: CryptoKey | Uint8Array,
  audience: string,
): Promise<JWTVerifyResult> {
  expect(request?.form.get("client_assertion_type")).toBe("urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
  return jwtVerify(request?.form.get("client_assertion") ?? "", key, { audience });
}
