import { oauth } from "@mortise/client/oauth";
import { describe, expect, test } from "vitest";
import { openClient } from "../open-client.js";
import { CALLBACK, startWorld } from "./login-world.js";

describe("a login with a login page", () => {
  test("happens when the server asks for it, and the request is sent again", async () => {
    const world = await startWorld();
    const client = openClient({ url: world.server.url, auth: oauth({ redirect: world.redirect }) });

    const result = await client.callTool("echo", { text: "hi" });

    expect(result.text).toBe("hi");
    expect(world.visits).toHaveLength(1);
    expect(world.tokenRequests()).toHaveLength(1);
    expect(world.authorizations()[0]?.get("redirect_uri")).toBe(CALLBACK);
    expect(world.authorizations()[0]?.get("code_challenge_method")).toBe("S256");
    expect(world.authorizations()[0]?.get("resource")).toBe(world.server.url);
    expect(world.tokenRequests()[0]?.get("resource")).toBe(world.server.url);
  });
});
