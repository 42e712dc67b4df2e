import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { GrantContext } from "../../src/oauth/grant.js";
import { grantClientCredentials } from "../../src/oauth/grants/client-credentials.js";
import type { SendGuarded } from "../../src/oauth/guarded-request.js";
import { refreshTokens } from "../../src/oauth/refresh-login.js";
import type { ServerMetadata } from "../../src/oauth/server-metadata.js";
import { createTokenEndpoint, type TokenEndpoint, type TokenEndpointOptions } from "../../src/oauth/token-endpoint.js";
import type { ClientAuthentication, ClientIdentity, TokenSet } from "../../src/oauth/token-set.js";

/** One request as an authorization server saw it. */
export interface FormRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as its bytes came. */
  readonly body: string;
  readonly form: URLSearchParams;
}

/** What it answers: an object as JSON, a string as it is. */
export interface FormAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Readonly<Record<string, unknown>>;
}

export interface FormServer {
  readonly url: string;
  readonly log: readonly FormRequest[];
}

/** A token that answers everything that is asked of it. */
export const TOKEN: Readonly<Record<string, unknown>> = { access_token: "T1", token_type: "Bearer", expires_in: 3600 };

/** Starts a server that takes forms. */
export async function startFormServer(
  answer: (request: FormRequest, count: number) => FormAnswer | Promise<FormAnswer> = () => ({ body: TOKEN }),
): Promise<FormServer> {
  const log: FormRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = await readText(request);
    const seen = { path: request.url ?? "", headers: request.headers, body, form: new URLSearchParams(body) };
    log.push(seen);
    const { status = 200, headers, body: told = "" } = await answer(seen, log.length);
    const type = typeof told === "string" ? "text/html" : "application/json";
    response.writeHead(status, { "Content-Type": type, ...headers });
    response.end(typeof told === "string" ? told : JSON.stringify(told));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, log };
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Sends whatever it is told to: these tests are about what is asked and answered, not about where. */
export const sendPlainly: SendGuarded = async ({ url, method = "GET", headers = {}, body, signal }) => {
  const answer = await fetch(url, { method, headers, body: body ?? null, signal, redirect: "manual" });
  return { status: answer.status, header: (name) => answer.headers.get(name) ?? undefined, text: await answer.text() };
};

export function metadataOf(server: FormServer, more: Partial<ServerMetadata> = {}): ServerMetadata {
  return {
    issuer: server.url,
    tokenEndpoint: `${server.url}/token`,
    issParameterSupported: false,
    clientIdMetadataDocumentSupported: false,
    source: "oauth",
    ...more,
  };
}

export function clientWith(authentication: ClientAuthentication, clientId = "client-1"): ClientIdentity {
  return { clientId, authentication, source: "configured" };
}

export const PUBLIC_CLIENT: ClientIdentity = clientWith({ method: "none" });

/** A token endpoint, with the requests that some grants make of it. */
export interface AskedEndpoint extends TokenEndpoint {
  refresh(tokens: TokenSet, signal: AbortSignal): Promise<TokenSet>;
  clientCredentials(scope: string | undefined, signal: AbortSignal): Promise<TokenSet>;
}

/** The endpoint of a server, asked as a public client unless told otherwise. */
export function endpointOf(server: FormServer, more: Partial<TokenEndpointOptions> = {}): AskedEndpoint {
  const endpoint = createTokenEndpoint({
    metadata: metadataOf(server),
    client: PUBLIC_CLIENT,
    send: sendPlainly,
    resource: "https://mcp.example/mcp",
    ...more,
  });
  return {
    ...endpoint,
    refresh: (tokens, signal) => refreshTokens(endpoint, tokens, signal),
    clientCredentials: (scope, signal) => grantClientCredentials(endpoint, scope, signal),
  };
}

/** Everything a grant is told, for a server that gives tokens. */
export function contextOf(server: FormServer, more: Partial<GrantContext> = {}): GrantContext {
  const metadata = more.metadata ?? metadataOf(server);
  const client = more.client ?? PUBLIC_CLIENT;
  return {
    server: new URL("https://mcp.example/mcp"),
    resource: {
      resource: "https://mcp.example/mcp",
      issuers: [server.url],
      dpopRequired: false,
      source: "metadata",
    },
    metadata,
    client,
    endpoint: endpointOf(server, { metadata, client }),
    scope: "a b",
    send: sendPlainly,
    signal: never(),
    ...more,
  };
}

export function never(): AbortSignal {
  return new AbortController().signal;
}
