import { oauth } from "@mortise/client/oauth";
import { describe, expect, test } from "vitest";
import { openClient } from "../open-client.js";
import { startWorld, type World } from "./login-world.js";

async function callTwice(world: World): Promise<void> {
  const client = openClient({ url: world.server.url, auth: oauth({ redirect: world.redirect }) });
  for (const text of ["a", "b"]) expect((await client.callTool("echo", { text })).text).toBe(text);
}

describe("a login whose token answer", () => {
  test.each([
    { token_type: "bearer" },
    { token_type: "BEARER" },
    { expires_in: "5250" },
    { expires_in: null },
    { scope: null, refresh_token: null },
    { scope: ["a"], refresh_token: "" },
  ])("has %j is used, always as a bearer token", async (tokenMembers) => {
    const world = await startWorld({ tokenMembers });

    await callTwice(world);

    const sent = world.server.log.flatMap(({ headers }) => headers.authorization ?? []);
    expect(sent.length).toBeGreaterThan(2);
    expect(sent.every((value) => /^Bearer access-\S+$/.test(value))).toBe(true);
    expect(world.tokenRequests()).toHaveLength(1);
  });

  test("says that the token has ended already leads to a refresh before the next call", async () => {
    const world = await startWorld({ tokenMembers: { expires_in: 0 } });

    await callTwice(world);

    const [first, second] = world.calls();
    expect(first).not.toBe(second);
    expect(world.tokenRequests("refresh_token").length).toBeGreaterThan(0);
    expect(world.visits).toHaveLength(1);
  });

  test.each([
    { body: { error: "bad_verification_code", error_description: "stale" }, status: 200 },
    { body: { error: "invalid_grant", error_description: "stale" }, status: 400 },
  ])("is an error with HTTP $status fails the call with the server's words", async ({ body, status }) => {
    const world = await startWorld({
      token: (_params, answer) => {
        answer(body, status);
        return true;
      },
    });

    await expect(callTwice(world)).rejects.toMatchObject({
      code: "login_failed",
      message: expect.stringMatching(new RegExp(`${body.error}.*stale`)),
    });
  });

  test.each([{ token_type: "mac" }, { expires_in: "soon" }, { access_token: "two words" }])(
    "has %j fails the call",
    async (tokenMembers) => {
      const world = await startWorld({ tokenMembers });

      await expect(callTwice(world)).rejects.toMatchObject({ code: "login_failed" });
      expect(world.tokenRequests()).toHaveLength(1);
    },
  );
});
