import { MortiseError } from "@mortise/core";
import { expect, test } from "vitest";
import { grantClientCredentials } from "../../src/oauth/grants/client-credentials.js";
import type { SendGuarded } from "../../src/oauth/guarded-request.js";
import { createTokenEndpoint } from "../../src/oauth/token-endpoint.js";
import type { TokenSet } from "../../src/oauth/token-set.js";
import { clientWith, never } from "./token-server.js";

const RUNS = 1500;
const SECRET = "hush-hush-hush";
const MEMBERS = [
  "access_token",
  "token_type",
  "expires_in",
  "refresh_token",
  "scope",
  "id_token",
  "error",
  "error_description",
  "__proto__",
  "toString",
] as const;
const VALUES: readonly unknown[] = [
  undefined,
  null,
  "",
  "T1",
  "bearer",
  "Bearer",
  "DPoP",
  "3600",
  "1e999",
  "-1",
  0,
  -1,
  3600,
  1e308,
  true,
  false,
  [],
  ["a", 1, "b"],
  {},
  { message: SECRET },
  SECRET,
  `a\r\n${SECRET}`,
  "ü".repeat(300),
];
const STATUSES = [200, 200, 200, 201, 204, 400, 401, 500] as const;

/** The same numbers each time. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function writeAnswer(random: (below: number) => number): { readonly status: number; readonly text: string } {
  const present = MEMBERS.filter(() => random(3) > 0);
  // Half of them are fine but for one or two members, else nearly nothing would get past the first check.
  const good = random(2) === 0 ? { access_token: "T1", token_type: "Bearer", error: undefined } : {};
  const entries = present.map((name) => [name, VALUES[random(VALUES.length)]] as const);
  const members = { ...Object.fromEntries(entries), ...good };
  const json = JSON.stringify(members) ?? "";
  const form = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  const cut = random(10) === 0 ? random(json.length) : json.length;
  const text = random(5) === 0 ? form : json.slice(0, cut);
  return { status: STATUSES[random(STATUSES.length)] ?? 200, text };
}

async function outcomeOf(answer: { readonly status: number; readonly text: string }): Promise<TokenSet | Error> {
  const send: SendGuarded = async () => ({ ...answer, header: () => undefined });
  const endpoint = createTokenEndpoint({
    metadata: {
      issuer: "https://as.example",
      tokenEndpoint: "https://as.example/token",
      issParameterSupported: false,
      clientIdMetadataDocumentSupported: false,
      source: "oauth",
    },
    client: clientWith({ method: "client_secret_post", secret: SECRET }),
    send,
    resource: "https://mcp.example/mcp",
  });
  return grantClientCredentials(endpoint, "asked", never()).catch((error: Error) => error);
}

test("whatever is answered becomes tokens of the right form, or a failure that tells no secret", async () => {
  const random = createRandom(20_260_728);
  const kinds = { tokens: 0, failures: 0 };

  for (let run = 0; run < RUNS; run += 1) {
    const answer = writeAnswer(random);
    const outcome = await outcomeOf(answer);
    if (outcome instanceof Error) {
      kinds.failures += 1;
      expectFailure(outcome, answer.text);
    } else {
      kinds.tokens += 1;
      expectTokens(outcome, answer.text);
    }
  }

  expect(kinds.tokens).toBeGreaterThan(RUNS / 20);
  expect(kinds.failures).toBeGreaterThan(RUNS / 20);
});

function expectFailure(error: Error, text: string): void {
  const told = `${error.message} ${JSON.stringify(error.cause)}`;
  expect(error, text).toBeInstanceOf(MortiseError);
  expect(error, text).toMatchObject({ code: "login_failed" });
  expect(told, text).not.toContain(SECRET);
  expect(error.message, text).not.toMatch(/\p{Cc}/u);
  expect(error.message.length, text).toBeLessThan(600);
}

function expectTokens(tokens: TokenSet, text: string): void {
  const { accessToken, tokenType, expiresAt, refreshToken, scope, idToken } = tokens;
  expect(accessToken, text).toMatch(/^[!-~]+$/);
  expect(tokenType, text).toBe("Bearer");
  if (expiresAt !== undefined) expect(Number.isFinite(expiresAt), text).toBe(true);
  expect(refreshToken === undefined || refreshToken.length > 0, text).toBe(true);
  expect(typeof scope, text).toBe("string");
  expect(idToken === undefined || typeof idToken === "string", text).toBe(true);
  expect(JSON.parse(JSON.stringify(tokens)), text).toEqual(tokens);
}
