import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { readExpectation } from "../src/client/expectation.js";
import { plainRedirect } from "../src/client/plain-redirect.js";
import { selectHandler } from "../src/client/scenarios.js";

const IDENTITY = { client_id: "id", client_secret: "secret" };
const PROVIDER = {
  ...IDENTITY,
  idp_issuer: "https://idp.example",
  idp_token_endpoint: "https://idp.example/token",
  idp_client_id: "idp-id",
  idp_id_token: "token",
};

function expectation(scenario: string, context: object = {}) {
  return readExpectation({
    MCP_CONFORMANCE_SCENARIO: scenario,
    MCP_CONFORMANCE_PROTOCOL_VERSION: "2026-07-28",
    MCP_CONFORMANCE_CONTEXT: JSON.stringify(context),
  });
}

/** Visits a login page that answers with a status and headers. */
async function visit(status: number, headers: Record<string, string>): Promise<URLSearchParams> {
  const page = createServer((_request, response) => response.writeHead(status, headers).end());
  await new Promise<void>((resolve) => page.listen(0, "127.0.0.1", resolve));
  const { port } = page.address() as AddressInfo; // of a listening TCP server
  const { signal } = new AbortController();
  try {
    const redirect = await plainRedirect.open({ registered: [], signal });
    return await redirect.visit(new URL(`http://127.0.0.1:${port}/authorize`), { state: "s", signal });
  } finally {
    await new Promise((resolve) => page.close(resolve));
  }
}

test.each([
  ["auth/metadata-default", {}],
  ["auth/basic-cimd", {}],
  ["auth/dpop", {}],
  ["auth/a-scenario-that-is-new", {}],
  ["auth/pre-registration", IDENTITY],
  ["auth/client-credentials-basic", IDENTITY],
  ["auth/client-credentials-jwt", { client_id: "id", private_key_pem: "pem", signing_algorithm: "ES256" }],
  ["auth/enterprise-managed-authorization", PROVIDER],
  ["auth/wif-jwt-bearer", { client_id: "id", valid_jwt: "jwt" }],
])("%s is played with an authorizer", async (scenario, context) => {
  const { options } = await selectHandler(expectation(scenario, context));

  expect(options).toHaveProperty("auth.authorize");
});

test("a scenario with a login takes who the client is from its context", async () => {
  await expect(selectHandler(expectation("auth/pre-registration"))).rejects.toThrow("client_id");
});

test("a login page's answer is where it sends its visitor", async () => {
  const params = await visit(302, { Location: "http://127.0.0.1:1/callback?code=c&state=s&iss=i" });

  expect(Object.fromEntries(params)).toEqual({ code: "c", state: "s", iss: "i" });
});

test("a login page that sends nobody back is told of", async () => {
  await expect(visit(400, {})).rejects.toThrow("400");
});
