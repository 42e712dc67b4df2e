import { describe, expect, test } from "vitest";
import { createTokenCheck, readToken } from "../../src/mcp/bearer-token.js";

describe("the token", () => {
  test.each([
    { given: "given", env: { MORTISE_MCP_TOKEN: "variable" }, token: "given" },
    { given: undefined, env: { MORTISE_MCP_TOKEN: " variable\n" }, token: "variable" },
    { given: undefined, env: { MORTISE_MCP_TOKEN: "  " }, token: undefined },
    { given: undefined, env: {}, token: undefined },
  ])("given as $given, with $env, is $token", ({ given, env, token }) => {
    expect(readToken(given, env)).toBe(token);
  });

  test.each(["", "two words", "línea", "a\nb"])("cannot be %j", (given) => {
    expect(() => readToken(given, {})).toThrow(expect.objectContaining({ exitCode: 2 }));
  });
});

describe("the check", () => {
  const { verify } = createTokenCheck("right");

  function check(authorization: string | undefined): unknown {
    return verify({
      method: "POST",
      url: "http://127.0.0.1/mcp",
      header: (name) => (name.toLowerCase() === "authorization" ? authorization : undefined),
      auth: undefined,
    });
  }

  test.each(["Bearer right", "bearer right", "BEARER  right "])("lets %j pass", (authorization) => {
    expect(check(authorization)).toEqual({ principal: "token" });
  });

  test.each(["Bearer wrong", "Bearer right2", "Bearer righ"])("answers %j with invalid_token", (authorization) => {
    expect(check(authorization)).toMatchObject({
      refused: { status: 401, headers: ["WWW-Authenticate", 'Bearer error="invalid_token"'] },
    });
  });

  test.each([undefined, "", "right", "Basic right", "Bearer", "Bearer right, Bearer right"])(
    "answers %j with a challenge alone",
    (authorization) => {
      expect(check(authorization)).toMatchObject({ refused: { status: 401, headers: ["WWW-Authenticate", "Bearer"] } });
    },
  );
});
