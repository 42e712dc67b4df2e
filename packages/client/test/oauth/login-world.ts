import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { Redirect } from "@mortise/client/oauth";
import { onTestFinished } from "vitest";
import { type FakeServer, type Reply, startFake } from "../fake-http.js";
import { serveModern } from "../modern-server.js";

/** One request to the authorization server. */
export interface LoginRequestLog {
  readonly method: string;
  readonly path: string;
  readonly params: URLSearchParams;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

/** What an access token is good for. */
export interface Granted {
  readonly scope: string;
  readonly client: string;
  readonly resource: string | null;
}

export interface WorldOptions {
  /** What the server does once it lets a request in. @default a modern server */
  readonly serve?: (reply: Reply) => void;
  /** Refuses requests by itself: gives whether it did. */
  readonly refuse?: (reply: Reply, granted: Granted | undefined, world: World) => boolean;
  /** Members of the protected resource's metadata that differ. */
  readonly resource?: Record<string, unknown>;
  readonly publishesResource?: boolean;
  /** What the challenge says besides. */
  readonly challenge?: string;
  /** Members of the authorization server's metadata that differ. */
  readonly metadata?: Record<string, unknown>;
  /** Changes the answer of the login page. */
  readonly page?: (answer: URLSearchParams, world: World) => void;
  /** Answers token requests by itself: gives whether it did. */
  readonly token?: (params: URLSearchParams, answer: (body: unknown, status?: number) => void) => boolean;
  readonly tokenMembers?: Record<string, unknown>;
  /** How long a refresh takes, in milliseconds. */
  readonly refreshDelay?: number;
}

/** A protected server, the authorization server it names, and a user who agrees to everything. */
export interface World {
  readonly server: FakeServer;
  readonly issuer: string;
  readonly log: LoginRequestLog[];
  readonly granted: Map<string, Granted>;
  /** The refresh tokens that are good for one more use. */
  readonly refreshTokens: Map<string, Granted>;
  /** The way of a user without a browser: goes to the page, and follows it back. */
  readonly redirect: Redirect;
  /** The pages that the user was sent to. */
  readonly visits: URL[];
  authorizations(): URLSearchParams[];
  tokenRequests(grant?: string): URLSearchParams[];
  /** The access tokens that the server has seen with tool calls, in order. */
  calls(): (string | undefined)[];
}

export const CALLBACK = "http://127.0.0.1:47999/callback";

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const log: LoginRequestLog[] = [];
  const granted = new Map<string, Granted>();
  const refreshTokens = new Map<string, Granted>();
  const visits: URL[] = [];
  const issuer = await startAuthorizationServer(options, { log, granted, refreshTokens, world: () => world });
  const server = await startFake((reply) => serveProtected(reply, options, world));
  const world: World = {
    server,
    issuer,
    log,
    granted,
    refreshTokens,
    visits,
    redirect: createRedirect(visits),
    authorizations: () => log.filter(({ path }) => path === "/authorize").map(({ params }) => params),
    tokenRequests: (grant) =>
      log
        .filter(({ path, params }) => path === "/token" && (grant === undefined || params.get("grant_type") === grant))
        .map(({ params }) => params),
    calls: () =>
      server.log
        .filter(({ message }) => message.method === "tools/call")
        .map(({ headers }) => headers.authorization?.replace(/^Bearer /, "")),
  };
  return world;
}

/** Sends the user to a login page, who says yes, and hands back what the page answered. */
export function createRedirect(visits: URL[] = []): Redirect {
  return {
    applicationType: "native",
    uris: [CALLBACK],
    open: async () => ({
      uri: CALLBACK,
      async visit(url, { signal }) {
        visits.push(url);
        return follow(url, signal);
      },
      close: () => undefined,
    }),
  };
}

/** What a login page answers with to a user who says yes. */
export async function follow(url: URL, signal?: AbortSignal): Promise<URLSearchParams> {
  const response = await fetch(url, { redirect: "manual", signal: signal ?? null });
  await response.body?.cancel();
  return new URL(response.headers.get("location") ?? "").searchParams;
}

function serveProtected(reply: Reply, options: WorldOptions, world: World): void {
  const { request } = reply;
  const { server } = world;
  const metadataPath = /^\/\.well-known\/oauth-protected-resource\/.*mcp$/;
  if (request.path.startsWith("/.well-known")) {
    if (!metadataPath.test(request.path) || options.publishesResource === false) reply.status(404);
    else reply.json({ resource: server.url, authorization_servers: [world.issuer], ...options.resource });
    return;
  }
  const token = request.headers.authorization?.replace(/^(Bearer|DPoP) /, "");
  const granted = token === undefined ? undefined : world.granted.get(token);
  if (options.refuse?.(reply, granted, world) === true) return;
  if (granted === undefined) challenge(reply, options.challenge);
  else (options.serve ?? serveModern())(reply);
}

export function challenge(reply: Reply, params = 'error="invalid_token"', status = 401): void {
  reply.status(status, "", { "www-authenticate": `Bearer ${params}` });
}

interface Desk {
  readonly log: LoginRequestLog[];
  readonly granted: Map<string, Granted>;
  readonly refreshTokens: Map<string, Granted>;
  world(): World;
}

interface Code extends Granted {
  readonly challenge: string;
  readonly redirectUri: string;
}

/** Starts an authorization server that checks what it is given: PKCE, redirect addresses, and that codes are used once. */
async function startAuthorizationServer(options: WorldOptions, desk: Desk): Promise<string> {
  const codes = new Map<string, Code>();
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const url = new URL(incoming.url ?? "", issuer);
    const params = incoming.method === "POST" ? new URLSearchParams(text) : url.searchParams;
    const { pathname: path } = url;
    desk.log.push({ method: incoming.method ?? "", path, params, text, headers: incoming.headers });
    const json = (body: unknown, status = 200): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    if (path === "/.well-known/oauth-authorization-server") return json({ ...describe(issuer), ...options.metadata });
    if (path === "/register")
      return json({ ...(JSON.parse(text) as object), client_id: `client-${randomUUID()}` }, 201);
    if (path === "/authorize") {
      const answer = authorize(params, codes, issuer);
      options.page?.(answer, desk.world());
      const back = new URL(params.get("redirect_uri") ?? "");
      for (const [name, value] of answer) back.searchParams.append(name, value);
      return void response.writeHead(302, { location: back.href }).end();
    }
    if (path === "/revoke") return json({});
    if (path !== "/token") return json({ error: "not_found" }, 404);
    if (options.token?.(params, json) === true) return;
    return grant(params, codes, desk, { ...options, json });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return issuer;
}

function describe(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    revocation_endpoint: `${issuer}/revoke`,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    token_endpoint_auth_methods_supported: ["none", "client_secret_basic"],
  };
}

function authorize(params: URLSearchParams, codes: Map<string, Code>, issuer: string): URLSearchParams {
  const code = randomUUID();
  codes.set(code, {
    scope: params.get("scope") ?? "",
    client: params.get("client_id") ?? "",
    resource: params.get("resource"),
    challenge: params.get("code_challenge") ?? "",
    redirectUri: params.get("redirect_uri") ?? "",
  });
  return new URLSearchParams({ code, state: params.get("state") ?? "", iss: issuer });
}

async function grant(
  params: URLSearchParams,
  codes: Map<string, Code>,
  { granted, refreshTokens }: Desk,
  { json, tokenMembers, refreshDelay = 0 }: WorldOptions & { json(body: unknown, status?: number): void },
): Promise<void> {
  const type = params.get("grant_type");
  const issue = async (what: Granted): Promise<void> => {
    const { scope, client, resource } = what;
    const token = `access-${randomUUID()}`;
    const refresh = `refresh-${randomUUID()}`;
    granted.set(token, { scope, client, resource });
    refreshTokens.set(refresh, { scope, client, resource });
    json({ access_token: token, token_type: "bearer", refresh_token: refresh, scope, ...tokenMembers });
  };
  if (type === "refresh_token") {
    const spent = params.get("refresh_token") ?? "";
    const what = refreshTokens.get(spent);
    refreshTokens.delete(spent);
    await new Promise((resolve) => setTimeout(resolve, refreshDelay));
    if (what === undefined) {
      refreshTokens.clear(); // a token that is used twice was stolen
      return json({ error: "invalid_grant", error_description: "used already" }, 400);
    }
    return issue(what);
  }
  if (type === "client_credentials")
    return issue({ scope: params.get("scope") ?? "", client: "self", resource: params.get("resource") });
  const code = codes.get(params.get("code") ?? "");
  codes.delete(params.get("code") ?? "");
  const proof = createHash("sha256")
    .update(params.get("code_verifier") ?? "")
    .digest("base64url");
  if (code === undefined || proof !== code.challenge || params.get("redirect_uri") !== code.redirectUri)
    return json({ error: "invalid_grant" }, 400);
  return issue(code);
}
