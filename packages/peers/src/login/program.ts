import { type Authorizer, MCPClient } from "@mortise/client";
import type { Redirect } from "@mortise/client/oauth";
import { loopbackRedirect } from "@mortise/client/oauth/node";
import { onTestFinished } from "vitest";
import {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  startAuthorizationServer,
} from "./authorization-server.js";
import { type ProtectedServer, type ProtectedServerOptions, startProtectedServer } from "./protected-server.js";
import { openScriptedBrowser, type ScriptedBrowser, type UserOptions } from "./scripted-browser.js";

/** Two servers that are there until the test ends. */
export async function startServers(
  options: AuthorizationServerOptions & Omit<ProtectedServerOptions, "authorization"> = {},
): Promise<{ authorization: AuthorizationServer; server: ProtectedServer }> {
  const authorization = await startAuthorizationServer(options);
  onTestFinished(() => authorization.close());
  const server = await startProtectedServer({ ...options, authorization });
  onTestFinished(() => server.close());
  return { authorization, server };
}

/** A user at a browser, and the way there. */
export interface User {
  readonly redirect: Redirect;
  readonly browser: ScriptedBrowser;
  /** How many login pages were shown. */
  readonly logins: () => number;
}

/** A user who logs in as soon as a login page is shown, in a browser that remembers them. */
export function seatUser(options?: UserOptions): User {
  const browser = openScriptedBrowser(options);
  const visits: Promise<string>[] = [];
  onTestFinished(async () => {
    await Promise.all(visits);
  });
  const openBrowser = (url: URL): boolean => {
    visits.push(browser.visit(url));
    return true;
  };
  return { redirect: loopbackRedirect({ openBrowser }), browser, logins: () => visits.length };
}

/** Opens a client that is closed when the test ends. */
export function openProtected(url: string, auth: Authorizer): MCPClient {
  const client = new MCPClient({ url, auth });
  onTestFinished(() => client.close());
  return client;
}
