import { clientCredentials, oauth } from "@mortise/client/oauth";
import { describe, expect, test } from "vitest";
import { openProtected, seatUser, startServers } from "../src/login/program.js";

describe("tokens bound to a key", () => {
  test("are got and used where the server demands them, and refreshed with the same key", async () => {
    const { authorization, server } = await startServers({ dpop: "required" });
    const user = seatUser();
    const client = openProtected(server.url, oauth({ redirect: user.redirect }));

    await client.callTool("read");
    server.expireTokens();
    const { text } = await client.callTool("read");

    expect(text).toBe("read with mcp:read");
    expect(user.logins()).toBe(1);
    expect(authorization.tokenRequests.map(({ grant, error }) => error ?? grant)).toEqual([
      "authorization_code",
      "refresh_token",
    ]);
  });

  test("come with the nonces that both servers ask for", async () => {
    const { authorization, server } = await startServers({ dpop: "nonce", dpopNonce: true });
    const user = seatUser();
    const client = openProtected(server.url, oauth({ redirect: user.redirect, dpop: true }));

    await Promise.all([client.callTool("read"), client.callTool("read")]);
    const before = server.statuses.length;
    const { text } = await client.callTool("read");

    expect(text).toBe("read with mcp:read");
    expect(user.logins()).toBe(1);
    expect(authorization.tokenRequests.filter(({ error }) => error === undefined)).toHaveLength(1);
    expect(server.statuses.slice(before)).toEqual([200]);
  });

  test("serve programs that act for themselves", async () => {
    const metadata = {
      client_id: "night-job",
      client_secret: "a-secret-of-some-length",
      redirect_uris: [],
      response_types: [],
      grant_types: ["client_credentials"],
    };
    const { server } = await startServers({ clients: [metadata], dpop: "nonce", dpopNonce: true });
    const auth = clientCredentials({ clientId: "night-job", secret: metadata.client_secret });

    const { text } = await openProtected(server.url, auth).callTool("read");

    expect(text).toBe("read with mcp:read");
  });
});
