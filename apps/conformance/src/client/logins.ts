import type { Authorizer, MCPClient, MortiseError } from "@mortise/client";
import {
  clientCredentials,
  enterpriseManaged,
  type OAuthOptions,
  oauth,
  workloadIdentity,
} from "@mortise/client/oauth";
import type { Expectation, ExpectedContext } from "./expectation.js";
import { plainRedirect } from "./plain-redirect.js";
import { refuses } from "./refusal.js";
import type { Handler } from "./scenarios.js";

const METADATA_DOCUMENT = "https://conformance-test.local/client-metadata.json";

/** What a scenario with a login needs besides: all the others log in as anybody would. */
interface Login {
  /** Where the scenario is not about users, or about a user's client of its own. */
  readonly auth?: ((context: ExpectedContext) => Authorizer) | undefined;
  /** What the client has to give up with, where it must not go on. */
  readonly refused?: MortiseError["code"] | undefined;
}

const LOGINS: ReadonlyMap<string, Login> = new Map<string, Login>([
  ["auth/basic-cimd", { auth: () => logIn({ clientMetadataUrl: METADATA_DOCUMENT }) }],
  ["auth/pre-registration", { auth: (context) => logIn({ client: readClient(context) }) }],
  ["auth/client-credentials-basic", { auth: (context) => clientCredentials(readClient(context)) }],
  ["auth/client-credentials-jwt", { auth: signClient }],
  ["auth/enterprise-managed-authorization", { auth: askProvider }],
  ["auth/wif-jwt-bearer", { auth: presentWorkload }],
  ["auth/dpop", { auth: () => logIn({ dpop: true }) }],
  ["auth/dpop-nonce", { auth: () => logIn({ dpop: true }) }],
  ["auth/scope-retry-limit", { refused: "unauthorized" }],
  ["auth/resource-mismatch", { refused: "login_failed" }],
  ["auth/metadata-issuer-mismatch", { refused: "login_failed" }],
  ["auth/iss-supported-missing", { refused: "login_failed" }],
  ["auth/iss-wrong-issuer", { refused: "login_failed" }],
  ["auth/iss-unexpected", { refused: "login_failed" }],
  ["auth/iss-normalized", { refused: "login_failed" }],
]);

/** How the scenarios with a login are passed. */
export function selectLoginHandler({ scenario, context }: Expectation): Handler {
  const { auth = () => logIn(), refused } = LOGINS.get(scenario) ?? {};
  const use = refused === undefined ? useTool : refuses(refused, useTool);
  return { options: { auth: auth(context) }, use };
}

async function useTool(client: MCPClient): Promise<void> {
  await client.connect();
  await client.callTool("test-tool");
}

/** Logs a user in. */
function logIn(options: OAuthOptions = {}): Authorizer {
  return oauth({ redirect: plainRedirect, onError: (problem) => console.error(problem.message), ...options });
}

function readClient({ text }: ExpectedContext): { clientId: string; secret: string } {
  return { clientId: text("client_id"), secret: text("client_secret") };
}

function signClient({ text }: ExpectedContext): Authorizer {
  const key = { key: text("private_key_pem"), algorithm: text("signing_algorithm") };
  return clientCredentials({ clientId: text("client_id"), key });
}

function askProvider(context: ExpectedContext): Authorizer {
  const { text } = context;
  return enterpriseManaged({
    ...readClient(context),
    provider: {
      issuer: text("idp_issuer"),
      tokenEndpoint: text("idp_token_endpoint"),
      client: { clientId: text("idp_client_id") },
    },
    subjectToken: text("idp_id_token"),
  });
}

function presentWorkload({ text }: ExpectedContext): Authorizer {
  return workloadIdentity({ clientId: text("client_id"), assertion: text("valid_jwt") });
}
