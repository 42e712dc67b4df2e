import { createNodeHttpHandler } from "@mortise/node";
import { MCPServer } from "@mortise/server";
import type { AuthorizationServer } from "./authorization-server.js";
import { listenOnLoopback } from "./listening.js";
import { checkPossession } from "./possession.js";

/** How a protected server is to be. */
export interface ProtectedServerOptions {
  readonly authorization: AuthorizationServer;
  /** The scope of the first challenge; none when it is left out. */
  readonly challengeScope?: string;
  readonly scopesSupported?: readonly string[];
  /** Whether it takes nothing but tokens bound to a key, and whether proofs need its nonce. */
  readonly dpop?: "required" | "nonce";
}

/** A protected MCP server with the tools `read` and `write`, each with its scope. */
export interface ProtectedServer {
  readonly url: string;
  /** The status of every request to the MCP endpoint, and how many distinct tokens came. */
  readonly statuses: readonly number[];
  readonly tokens: ReadonlySet<string>;
  /** Takes no token any more that it has seen so far. */
  expireTokens(): void;
  close(): Promise<void>;
}

interface Caller {
  readonly principal: string;
  readonly auth: { readonly scope: string };
}
interface Refused {
  readonly refused: { readonly status: 401 | 403; readonly message: string; readonly headers: readonly string[] };
}
type Judgement = Caller | Refused;

/** Serves a Mortise server that asks the authorization server about every token that it is sent. */
export async function startProtectedServer(options: ProtectedServerOptions): Promise<ProtectedServer> {
  const { authorization, challengeScope, scopesSupported = ["mcp:read"] } = options;
  const { server, origin, close } = await listenOnLoopback();
  const url = `${origin}/mcp`;
  const metadataUrl = `${origin}/.well-known/oauth-protected-resource/mcp`;
  const metadata = JSON.stringify({
    resource: url,
    authorization_servers: [authorization.issuer],
    scopes_supported: scopesSupported,
    ...(options.dpop === undefined ? {} : { dpop_bound_access_tokens_required: true }),
  });
  authorization.resources.add(url);

  const tokens = new Set<string>();
  const expired = new Set<string>();
  const statuses: number[] = [];
  const nonce = options.dpop === "nonce" ? "nonce-of-the-resource" : undefined;
  const challenge = (error?: string, scope = challengeScope): Refused => {
    const scheme = options.dpop === undefined ? "Bearer" : "DPoP";
    const parameters = [`resource_metadata="${metadataUrl}"`];
    if (error !== undefined) parameters.push(`error="${error}"`);
    if (scope !== undefined) parameters.push(`scope="${scope}"`);
    const headers = ["WWW-Authenticate", `${scheme} ${parameters.join(", ")}`];
    if (nonce !== undefined) headers.push("DPoP-Nonce", nonce);
    return { refused: { status: error === "insufficient_scope" ? 403 : 401, message: error ?? "no token", headers } };
  };

  async function verify(request: { method: string; header(name: string): string | undefined }): Promise<Judgement> {
    const [scheme = "", token = ""] = (request.header("authorization") ?? "").split(" ");
    if (token === "") return challenge();
    tokens.add(token);
    const found = await findToken(authorization, token);
    if (found === undefined || expired.has(token) || found.audience !== url) return challenge("invalid_token");
    if (found.thumbprint !== undefined || options.dpop !== undefined) {
      const proof = request.header("dpop");
      if (scheme !== "DPoP" || proof === undefined || found.thumbprint === undefined) return challenge("invalid_token");
      const expected = { proof, method: request.method, url, accessToken: token, thumbprint: found.thumbprint };
      const claims = checkPossession(expected);
      if (claims === undefined) return challenge("invalid_dpop_proof");
      if (claims.nonce !== nonce) return challenge("use_dpop_nonce");
    }
    const needed = request.header("mcp-name") === "write" ? "mcp:write" : "mcp:read";
    if (!found.scope.split(" ").includes(needed)) return challenge("insufficient_scope", needed);
    return { principal: found.principal, auth: { scope: found.scope } };
  }

  const handle = createNodeHttpHandler(createTools(), { auth: { verify } });
  server.on("request", (request, response) => {
    const { pathname } = new URL(request.url ?? "/", origin);
    if (pathname === new URL(metadataUrl).pathname) {
      response.writeHead(200, { "Content-Type": "application/json" }).end(metadata);
      return;
    }
    if (pathname !== "/mcp") {
      response.writeHead(404).end();
      return;
    }
    response.once("finish", () => statuses.push(response.statusCode));
    handle(request, response);
  });
  const expireTokens = (): void => {
    for (const token of tokens) expired.add(token);
  };
  return { url, statuses, tokens, expireTokens, close };
}

interface FoundToken {
  readonly principal: string;
  readonly audience: unknown;
  readonly scope: string;
  readonly thumbprint: string | undefined;
}

/** Looks a token up in the authorization server's own store. */
async function findToken({ provider }: AuthorizationServer, value: string): Promise<FoundToken | undefined> {
  const ofUser = await provider.AccessToken.find(value);
  const token = ofUser ?? (await provider.ClientCredentials.find(value));
  if (token === undefined || token.isExpired) return undefined;
  const principal = ofUser?.accountId ?? token.clientId ?? "";
  return { principal, audience: token.aud, scope: token.scope ?? "", thumbprint: token.jkt };
}

function createTools(): MCPServer {
  const server = new MCPServer({ name: "protected", version: "1.0.0" });
  for (const name of ["read", "write"])
    server.tool(name, { description: name, input: { type: "object" } }, (_args, ctx) => {
      const { scope } = ctx.auth as { scope: string }; // what the verifier gave
      return `${name} with ${scope}`;
    });
  return server;
}
