import { randomBytes } from "node:crypto";
import type { ClientMetadata, Configuration, KoaContextWithOIDC, Provider } from "oidc-provider";
import { listenOnLoopback } from "./listening.js";
import { muteProvider } from "./mute-provider.js";

/** One request to the token endpoint. */
export interface TokenRequest {
  readonly grant: string;
  readonly clientId: string | undefined;
  /** How the client proved who it is. */
  readonly method: string | undefined;
  readonly resource: unknown;
  readonly scope: string | undefined;
  /** The error it was answered with. */
  readonly error?: string;
}

/** What an authorization server is to be like, besides what all of them are. */
export interface AuthorizationServerOptions {
  readonly clients?: ClientMetadata[];
  /** Whether proofs of possession need a nonce. */
  readonly dpopNonce?: boolean;
  /** Whether clients can register. @default true */
  readonly registration?: boolean;
}

/** A real authorization server. */
export interface AuthorizationServer {
  readonly issuer: string;
  readonly provider: Provider;
  /** The protected servers that it gives tokens for. */
  readonly resources: Set<string>;
  readonly tokenRequests: readonly TokenRequest[];
  /** Names and redirect addresses of the clients that registered. */
  readonly registrations: readonly ClientMetadata[];
  readonly revoked: readonly string[];
  /** Forgets a client that registered, as servers do that clean up. */
  forgetClient(clientId: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts oidc-provider on this machine, with everything of it that clients of protected MCP servers can use. */
export async function startAuthorizationServer(options: AuthorizationServerOptions = {}): Promise<AuthorizationServer> {
  muteProvider();
  const { Provider, errors } = await import("oidc-provider");
  const { server, origin, close } = await listenOnLoopback();
  const resources = new Set<string>();
  const provider = new Provider(
    origin,
    configure(options, (resource) => {
      if (!resources.has(resource)) throw new errors.InvalidTarget();
    }),
  );
  // Asked as often as it may be, so that nobody has to wait for long.
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.path === "/device/auth" && ctx.status === 200) Object.assign(ctx.body as object, { interval: 1 });
  });
  const log = listen(provider);
  server.on("request", provider.callback());
  const forgetClient = async (clientId: string): Promise<void> => {
    // The types leave the store of the clients out.
    const { adapter } = provider.Client as unknown as { adapter: { destroy(id: string): Promise<void> } };
    await adapter.destroy(clientId);
  };
  return { issuer: origin, provider, resources, ...log, forgetClient, close };
}

function configure(options: AuthorizationServerOptions, checkResource: (resource: string) => void): Configuration {
  const { clients = [], dpopNonce = false, registration = true } = options;
  return {
    clients,
    scopes: ["openid", "offline_access"],
    clientAuthMethods: ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"],
    cookies: { keys: [randomBytes(16).toString("hex")] },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    ttl: {
      AccessToken: 600,
      ClientCredentials: 600,
      RefreshToken: 6_000,
      DeviceCode: 60,
      Grant: 6_000,
      Session: 600,
      Interaction: 60,
    },
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: registration },
      clientCredentials: { enabled: true },
      deviceFlow: { enabled: true },
      revocation: { enabled: true, allowedPolicy: () => true },
      dPoP: { enabled: true, nonceSecret: randomBytes(32), requireNonce: () => dpopNonce },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo(_ctx, resource) {
          checkResource(resource);
          return { audience: resource, scope: "mcp:read mcp:write", accessTokenFormat: "opaque" };
        },
      },
    },
  };
}

function listen(provider: Provider): Pick<AuthorizationServer, "tokenRequests" | "registrations" | "revoked"> {
  const tokenRequests: TokenRequest[] = [];
  const registrations: ClientMetadata[] = [];
  const revoked: string[] = [];
  provider.on("grant.success", (ctx) => tokenRequests.push(describe(ctx)));
  provider.on("grant.error", (ctx, error) => tokenRequests.push({ ...describe(ctx), error: error.error }));
  provider.on("registration_create.success", (_ctx, client) => registrations.push(client.metadata()));
  provider.on("access_token.destroyed", () => revoked.push("access_token"));
  provider.on("refresh_token.destroyed", () => revoked.push("refresh_token"));
  return { tokenRequests, registrations, revoked };
}

function describe(ctx: KoaContextWithOIDC): TokenRequest {
  const { params = {}, client } = ctx.oidc;
  return {
    grant: String(params["grant_type"]),
    clientId: client?.clientId,
    method: client?.clientAuthMethod,
    resource: params["resource"],
    scope: params["scope"] === undefined ? undefined : String(params["scope"]),
  };
}
