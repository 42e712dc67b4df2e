// An authorization server whose user agrees to everything, which also publishes what it gives tokens for.
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";

export async function startLoginServer() {
  const codes = new Map();
  const tokens = new Set();
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, issuer);
    const body = await readBody(request);
    const answer = ANSWERS[url.pathname]?.({ issuer, codes, tokens, body, query: url.searchParams });
    if (answer === undefined) response.writeHead(404).end();
    else if (answer instanceof URL) response.writeHead(302, { location: answer.href }).end();
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const issuer = `http://127.0.0.1:${server.address().port}`;
  return {
    issuer,
    /** Lets in those who have a token of this server, and tells the others where to get one. */
    verifier: {
      verify(request) {
        const token = request.header("authorization")?.replace("Bearer ", "");
        if (tokens.has(token)) return { principal: "ada" };
        const metadata = `${issuer}/resource?${new URLSearchParams({ resource: request.url })}`;
        const headers = ["www-authenticate", `Bearer resource_metadata="${metadata}", scope="greet"`];
        return { refused: { status: 401, message: "Log in first", headers } };
      },
    },
    async close() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

const ANSWERS = {
  "/resource": ({ issuer, query }) => ({
    resource: query.get("resource"),
    authorization_servers: [issuer],
    scopes_supported: ["greet"],
  }),
  "/.well-known/oauth-authorization-server": ({ issuer }) => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    scopes_supported: ["greet", "offline_access"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    authorization_response_iss_parameter_supported: true,
  }),
  "/register": ({ body }) => ({ ...JSON.parse(body), client_id: randomUUID() }),
  "/authorize": ({ issuer, codes, query }) => {
    const code = randomUUID();
    codes.set(code, query.get("code_challenge"));
    const back = new URL(query.get("redirect_uri"));
    back.search = new URLSearchParams({ code, state: query.get("state"), iss: issuer });
    return back;
  },
  "/token": ({ codes, tokens, body }) => {
    const params = new URLSearchParams(body);
    const challenge = createHash("sha256").update(params.get("code_verifier")).digest("base64url");
    if (codes.get(params.get("code")) !== challenge) return { error: "invalid_grant" };
    const token = randomUUID();
    tokens.add(token);
    return { access_token: token, token_type: "Bearer", expires_in: 3600, refresh_token: randomUUID(), scope: "greet" };
  },
};

async function readBody(request) {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  return body;
}
