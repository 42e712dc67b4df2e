import { createHash, timingSafeEqual } from "node:crypto";
import type { HttpOptions } from "@mortise/node";
import { CommandFailure, EXIT } from "../command-failure.js";
import type { Environment } from "../environment.js";

/** Reads the token that clients have to know, from the command line or its variable. Throws `CommandFailure` for one no header can carry. */
export function readToken(given: string | undefined, env: Environment): string | undefined {
  const variable = env["MORTISE_MCP_TOKEN"]?.trim();
  const token = given ?? (variable === "" ? undefined : variable);
  if (token === undefined || /^[!-~]+$/.test(token)) return token;
  const source = given === undefined ? "MORTISE_MCP_TOKEN" : "--token";
  throw new CommandFailure(`Expected ${source} to be visible ASCII characters without spaces`, EXIT.usage);
}

/** Makes the check that lets only those pass who send the token. It takes the same time for every wrong one. */
export function createTokenCheck(token: string): NonNullable<HttpOptions["auth"]> {
  const expected = digest(token);
  return {
    verify(request) {
      const given = /^Bearer +([!-~]+) *$/i.exec(request.header("authorization") ?? "")?.[1];
      if (given !== undefined && timingSafeEqual(digest(given), expected)) return { principal: "token" };
      const challenge = given === undefined ? "Bearer" : 'Bearer error="invalid_token"';
      const message = 'Expected the header "Authorization: Bearer" with the token this server was started with';
      return { refused: { status: 401, message, headers: ["WWW-Authenticate", challenge] } };
    },
  };
}

/** Of one length whatever the text, which is what can be compared in constant time. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
