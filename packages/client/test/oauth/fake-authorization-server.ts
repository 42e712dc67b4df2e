import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { onTestFinished } from "vitest";

/** How a fake authorization server behaves. */
export interface AuthorizationServerOptions {
  /** The path of the issuer, such as "/tenant". @default "" */
  readonly path?: string;
  /** Members of the metadata that differ; `undefined` leaves one out. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** What answers of the login page name as their issuer; `undefined` leaves it out. @default the issuer */
  readonly iss?: string | undefined;
  /** What becomes of a login. @default a code */
  readonly login?: "code" | "denied";
  /** What tokens are granted for. @default what was asked for */
  readonly grant?: (scope: string | null) => string | null;
  /** @default 3600 */
  readonly lifetime?: number;
  /** How refresh tokens are given: none, one that stays, or another with each use, where a used one ends the whole login. @default "rotated" */
  readonly refreshTokens?: "none" | "kept" | "rotated";
  /** How long a refresh takes, in milliseconds. @default 0 */
  readonly refreshDelay?: number;
  /** How a registered client is to prove who it is. @default "none" */
  readonly authMethod?: "none" | "client_secret_basic" | "client_secret_post";
}

/** One request that a fake authorization server had. */
export interface AuthorizationRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  /** The query of a GET, the form of a POST. */
  readonly params: URLSearchParams;
  readonly text: string;
}

/** What is known of an access token. */
export interface IssuedToken {
  readonly scope: string | null;
  readonly resource: string | null;
  readonly clientId: string | null;
  readonly expiresAt: number;
}

export interface FakeAuthorizationServer {
  readonly issuer: string;
  readonly origin: string;
  readonly log: readonly AuthorizationRequest[];
  /** What was asked of one endpoint, such as "/token". */
  requests(path: string): AuthorizationRequest[];
  /** What is known of an access token that is good. */
  find(token: string): IssuedToken | undefined;
  /** Ends every access token, as if its time were over. */
  endAccessTokens(): void;
  /** Ends every login: refresh tokens are good for nothing. */
  endLogins(): void;
}

interface PendingCode {
  readonly params: URLSearchParams;
  used: boolean;
}

/** Starts an authorization server with a login page that asks nobody. It ends with the test. */
export async function startAuthorizationServer(
  options: AuthorizationServerOptions = {},
): Promise<FakeAuthorizationServer> {
  const log: AuthorizationRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming);
    log.push(request);
    await state.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state = new AuthorizationState(origin, options);
  return {
    issuer: state.issuer,
    origin,
    log,
    requests: (path) => log.filter((request) => request.path === path),
    find: (token) => {
      const issued = state.accessTokens.get(token);
      return issued !== undefined && issued.expiresAt > Date.now() ? issued : undefined;
    },
    endAccessTokens: () => state.accessTokens.clear(),
    endLogins: () => state.refreshTokens.clear(),
  };
}

class AuthorizationState {
  readonly issuer: string;
  readonly accessTokens = new Map<string, IssuedToken>();
  /** The login that each belongs to; `undefined` for a login that ended. */
  readonly refreshTokens = new Map<
    string,
    { readonly params: URLSearchParams; readonly login: string; used: boolean }
  >();
  readonly #origin: string;
  readonly #options: AuthorizationServerOptions;
  readonly #codes = new Map<string, PendingCode>();
  readonly #secrets = new Map<string, string>();

  constructor(origin: string, options: AuthorizationServerOptions) {
    this.#origin = origin;
    this.#options = options;
    this.issuer = origin + (options.path ?? "");
  }

  async answer(request: AuthorizationRequest, response: ServerResponse): Promise<void> {
    if (request.path.startsWith("/.well-known/")) return this.#describe(request.path, response);
    if (request.path === "/authorize") return this.#showLogin(request.params, response);
    if (request.path === "/register") return this.#register(request.text, response);
    if (request.path === "/token") return this.#giveToken(request, response);
    if (request.path === "/revoke") return this.#revoke(request.params, response);
    send(response, 404, {});
  }

  #describe(path: string, response: ServerResponse): void {
    const known = [`/.well-known/oauth-authorization-server${this.#options.path ?? ""}`];
    if (!known.includes(path)) send(response, 404, {});
    else this.#sendMetadata(response);
  }

  #sendMetadata(response: ServerResponse): void {
    send(response, 200, {
      issuer: this.issuer,
      authorization_endpoint: `${this.#origin}/authorize`,
      token_endpoint: `${this.#origin}/token`,
      registration_endpoint: `${this.#origin}/register`,
      revocation_endpoint: `${this.#origin}/revoke`,
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      authorization_response_iss_parameter_supported: true,
      ...this.#options.metadata,
    });
  }

  #register(text: string, response: ServerResponse): void {
    const asked = JSON.parse(text) as Record<string, unknown>;
    const { authMethod = "none" } = this.#options;
    const clientId = `client-${randomUUID()}`;
    const secret = authMethod === "none" ? undefined : randomUUID();
    this.#secrets.set(clientId, secret ?? "");
    send(response, 201, {
      ...asked,
      client_id: clientId,
      token_endpoint_auth_method: authMethod,
      ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
    });
  }

  #showLogin(params: URLSearchParams, response: ServerResponse): void {
    const target = new URL(params.get("redirect_uri") ?? "");
    const state = params.get("state");
    if (state !== null) target.searchParams.set("state", state);
    const iss = "iss" in this.#options ? this.#options.iss : this.issuer;
    if (iss !== undefined) target.searchParams.set("iss", iss);
    if (this.#options.login === "denied") target.searchParams.set("error", "access_denied");
    else {
      const code = `code-${randomUUID()}`;
      this.#codes.set(code, { params, used: false });
      target.searchParams.set("code", code);
    }
    response.writeHead(302, { Location: target.href }).end();
  }

  async #giveToken(request: AuthorizationRequest, response: ServerResponse): Promise<void> {
    const { params } = request;
    if (!this.#isClient(request)) return send(response, 401, { error: "invalid_client" });
    if (params.get("grant_type") === "authorization_code") return this.#redeem(params, response);
    if (params.get("grant_type") === "refresh_token") return this.#refresh(params, response);
    return this.#issue(params, response, undefined);
  }

  #isClient({ headers, params }: AuthorizationRequest): boolean {
    const [user = "", password] = atob(headers.authorization?.replace(/^Basic /, "") ?? "")
      .split(":")
      .map(decodeURIComponent);
    const id = password === undefined ? (params.get("client_id") ?? "") : user;
    const expected = this.#secrets.get(id);
    return expected === undefined || expected === (password ?? params.get("client_secret") ?? "");
  }

  #redeem(params: URLSearchParams, response: ServerResponse): void {
    const code = this.#codes.get(params.get("code") ?? "");
    const verifier = params.get("code_verifier") ?? "";
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const fits =
      code?.used === false &&
      code.params.get("code_challenge") === challenge &&
      code.params.get("redirect_uri") === params.get("redirect_uri") &&
      code.params.get("resource") === params.get("resource");
    if (fits) {
      code.used = true;
      this.#issue(code.params, response, randomUUID());
    } else send(response, 400, { error: "invalid_grant", error_description: "The code does not fit" });
  }

  async #refresh(params: URLSearchParams, response: ServerResponse): Promise<void> {
    const kept = this.refreshTokens.get(params.get("refresh_token") ?? "");
    const wasUsed = kept?.used;
    if (kept !== undefined && this.#options.refreshTokens !== "kept") kept.used = true;
    await pause(this.#options.refreshDelay ?? 0);
    if (kept === undefined || wasUsed === true) {
      // Somebody stole one of the two: the whole login ends.
      for (const [token, other] of this.refreshTokens)
        if (other.login === kept?.login) this.refreshTokens.delete(token);
      return send(response, 400, { error: "invalid_grant" });
    }
    this.#issue(kept.params, response, kept.login);
  }

  /** `login` is what a refresh token would belong to. */
  #issue(params: URLSearchParams, response: ServerResponse, login: string | undefined): void {
    const { grant = (scope) => scope, lifetime = 3600, refreshTokens = "rotated" } = this.#options;
    const token = `access-${randomUUID()}`;
    const scope = grant(params.get("scope"));
    const issued = { scope, resource: params.get("resource"), clientId: params.get("client_id") };
    this.accessTokens.set(token, { ...issued, expiresAt: Date.now() + lifetime * 1000 });
    const refresh = login === undefined || refreshTokens === "none" ? undefined : `refresh-${randomUUID()}`;
    if (refresh !== undefined && login !== undefined) this.refreshTokens.set(refresh, { params, login, used: false });
    send(response, 200, {
      access_token: token,
      token_type: "Bearer",
      expires_in: lifetime,
      ...(scope !== null && { scope }),
      ...(refresh !== undefined && { refresh_token: refresh }),
    });
  }

  #revoke(params: URLSearchParams, response: ServerResponse): void {
    this.accessTokens.delete(params.get("token") ?? "");
    this.refreshTokens.delete(params.get("token") ?? "");
    send(response, 200, {});
  }
}

async function readRequest(incoming: IncomingMessage): Promise<AuthorizationRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const url = new URL(incoming.url ?? "", "http://localhost");
  const params = incoming.method === "POST" ? new URLSearchParams(text) : url.searchParams;
  return { method: incoming.method ?? "", path: url.pathname, headers: incoming.headers, params, text };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
