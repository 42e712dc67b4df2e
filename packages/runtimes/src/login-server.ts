import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createNodeHttpHandler } from "@mortise/node";
import { end, open } from "./listening.js";
import { createSmokeServer } from "./smoke-server.js";

/** A server that wants a login, with the authorization server that gives its tokens. */
export interface LoginServers {
  /** The protected endpoint. */
  readonly url: string;
  /** The client that may act for itself. */
  readonly client: { readonly clientId: string; readonly secret: string };
  /** What the authorization server was asked, as method and path. */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

/** What a code or a refresh token stands for. */
interface Grant {
  readonly clientId: string;
  readonly challenge?: string | undefined;
}

const CLIENT = { clientId: "program", secret: "the-secret-of-the-program" };
const JSON_FOR_PAGES = { "content-type": "application/json", "access-control-allow-origin": "*" };

/** Starts both on this machine. Users are logged in without being asked, unless they have to; pages of every origin may call. */
export async function startLoginServers({ asks = false }: { asks?: boolean } = {}): Promise<LoginServers> {
  const asked: string[] = [];
  const tokens = new Set<string>();
  let issuer = "";
  const answers = createAnswers(tokens, () => issuer);
  const authorization = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", issuer);
    if (request.method === "OPTIONS") return answerPreflight(response);
    asked.push(`${request.method} ${url.pathname}`);
    if (asks && url.pathname === "/authorize") return void response.end("Who are you?");
    const answer = answers.get(url.pathname);
    if (answer === undefined) return void response.writeHead(404, JSON_FOR_PAGES).end("{}");
    await answer(url, response, await readText(request));
  });
  issuer = `http://127.0.0.1:${await open(authorization)}`;
  const guarded = await startProtected(tokens, () => issuer);
  return {
    url: guarded.url,
    client: CLIENT,
    asked,
    stop: async () => {
      await Promise.all([end(authorization), guarded.stop()]);
    },
  };
}

type AnswerRequest = (url: URL, response: ServerResponse, body: string) => void;

function createAnswers(tokens: Set<string>, issuer: () => string): ReadonlyMap<string, AnswerRequest> {
  const grants = new Map<string, Grant>();
  const give = (clientId: string): object => {
    const [access, refresh] = [randomUUID(), randomUUID()];
    tokens.add(access);
    grants.set(refresh, { clientId });
    return { access_token: access, token_type: "Bearer", expires_in: 3600, refresh_token: refresh };
  };
  return new Map<string, AnswerRequest>([
    ["/.well-known/oauth-authorization-server", (_, response) => answerJson(response, 200, describeIssuer(issuer()))],
    [
      "/register",
      (_, response, body) => answerJson(response, 201, { ...JSON.parse(body), client_id: `page-${randomUUID()}` }),
    ],
    [
      "/authorize",
      ({ searchParams }, response) => {
        const code = randomUUID();
        const challenge = searchParams.get("code_challenge") ?? undefined;
        grants.set(code, { clientId: searchParams.get("client_id") ?? "", challenge });
        const target = new URL(searchParams.get("redirect_uri") ?? "about:blank");
        target.searchParams.set("code", code);
        target.searchParams.set("state", searchParams.get("state") ?? "");
        target.searchParams.set("iss", issuer());
        response.writeHead(302, { location: target.href }).end();
      },
    ],
    [
      "/token",
      (_, response, body) => {
        const form = new URLSearchParams(body);
        if (form.get("grant_type") === "client_credentials") return answerJson(response, 200, give(CLIENT.clientId));
        const key = form.get("code") ?? form.get("refresh_token") ?? "";
        const grant = grants.get(key);
        grants.delete(key);
        const isProven = grant?.challenge === undefined || grant.challenge === hash(form.get("code_verifier") ?? "");
        if (grant === undefined || !isProven || grant.clientId !== form.get("client_id"))
          return answerJson(response, 400, { error: "invalid_grant" });
        answerJson(response, 200, give(grant.clientId));
      },
    ],
  ]);
}

function describeIssuer(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token", "client_credentials"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
    authorization_response_iss_parameter_supported: true,
  };
}

async function startProtected(
  tokens: ReadonlySet<string>,
  issuer: () => string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const METADATA = "/.well-known/oauth-protected-resource/mcp";
  let origin = "";
  const server = createSmokeServer();
  const handle = createNodeHttpHandler(server, {
    onWarning: () => undefined,
    auth: {
      verify(request) {
        const token = /^Bearer (.+)$/i.exec(request.header("authorization") ?? "")?.[1];
        if (token !== undefined && tokens.has(token)) return { principal: "user" };
        const headers = ["WWW-Authenticate", `Bearer resource_metadata="${origin}${METADATA}"`];
        return { refused: { status: 401, message: "Expected a token", headers } };
      },
    },
  });
  const listener = createServer((request, response) => {
    if (request.url !== METADATA) return void handle(request, response);
    answerJson(response, 200, { resource: `${origin}/mcp`, authorization_servers: [issuer()] });
  });
  origin = `http://127.0.0.1:${await open(listener)}`;
  return {
    url: `${origin}/mcp`,
    stop: async () => {
      await server.close();
      await end(listener);
    },
  };
}

function answerPreflight(response: ServerResponse): void {
  response
    .writeHead(204, {
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "Authorization, Content-Type",
    })
    .end();
}

function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, JSON_FOR_PAGES).end(JSON.stringify(body));
}

function hash(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}
