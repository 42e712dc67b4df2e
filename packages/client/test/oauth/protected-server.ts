import type { Redirect } from "../../src/oauth/redirect.js";
import { type FakeServer, type Reply, startFake } from "../fake-http.js";
import { serveModern } from "../modern-server.js";
import type { FakeAuthorizationServer } from "./fake-authorization-server.js";

/** How a protected server behaves. */
export interface ProtectedServerOptions {
  /** What it does for those it lets in. @default a modern server with one tool */
  readonly script?: (reply: Reply) => void;
  /** Who gives tokens for it, at each moment. */
  readonly issuers?: () => readonly FakeAuthorizationServer[];
  /** Members of its metadata that differ. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The scopes that a request needs. @default none */
  readonly needs?: (reply: Reply) => string | undefined;
  /** Further parameters of its challenges, such as `scope="a"`. */
  readonly challenge?: string;
}

/** Starts an MCP server that lets nobody in without a token of one of its authorization servers. */
export async function startProtected(
  authorization: FakeAuthorizationServer,
  options: ProtectedServerOptions = {},
): Promise<FakeServer> {
  const { script = serveModern(), issuers = () => [authorization], needs = () => undefined, challenge } = options;
  const fake = await startFake((reply) => {
    const { path, headers } = reply.request;
    const metadataUrl = `http://127.0.0.1:${fake.port}/.well-known/oauth-protected-resource/mcp`;
    if (path === "/.well-known/oauth-protected-resource/mcp")
      return reply.json({
        resource: fake.url,
        authorization_servers: issuers().map(({ issuer }) => issuer),
        ...options.metadata,
      });
    if (path !== "/mcp") return reply.status(404);
    const token = headers.authorization?.replace(/^Bearer /, "") ?? "";
    const found = issuers()
      .map((server) => server.find(token))
      .find((issued) => issued !== undefined);
    const known = [`resource_metadata="${metadataUrl}"`, ...(challenge === undefined ? [] : [challenge])];
    if (found === undefined) return refuse(reply, 401, known);
    const needed = needs(reply);
    const granted = new Set(found.scope?.split(" "));
    if (needed !== undefined && !needed.split(" ").every((scope) => granted.has(scope)))
      return refuse(reply, 403, ['error="insufficient_scope"', `scope="${needed}"`, ...known]);
    return script(reply);
  });
  return fake;
}

function refuse(reply: Reply, status: number, params: readonly string[]): void {
  reply.status(status, "", { "WWW-Authenticate": `Bearer ${params.join(", ")}` });
}

/** A way to the login page that needs no person: it goes there, and reads where it is sent. */
export interface VisitingRedirect extends Redirect {
  /** Every address that was visited. */
  readonly visits: readonly URL[];
}

export function visitingRedirect(uri = "http://127.0.0.1:33418/callback"): VisitingRedirect {
  const visits: URL[] = [];
  return {
    applicationType: "native",
    uris: [uri],
    visits,
    open: async () => ({
      uri,
      visit: async (url, { signal }) => {
        visits.push(url);
        const answer = await fetch(url, { redirect: "manual", signal });
        await answer.body?.cancel();
        return new URL(answer.headers.get("location") ?? "").searchParams;
      },
      close: () => undefined,
    }),
  };
}
