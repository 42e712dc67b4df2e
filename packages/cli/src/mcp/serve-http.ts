import type { HttpOptions } from "@mortise/node";
import { CommandFailure, EXIT } from "../command-failure.js";
import type { MCPServer } from "../mcp-server.js";
import { createTokenCheck, readToken } from "./bearer-token.js";
import { chooseHosts, listReachableUrl } from "./listening-address.js";
import type { HttpPart } from "./mcp-options.js";
import { describeRegistration } from "./registration-snippet.js";
import type { Setting } from "./run-mcp.js";

/** Legacy clients seldom open another session when theirs is over, and an assistant may be idle for long. Milliseconds. */
const IDLE_TIMEOUT = 7 * 24 * 60 * 60 * 1000;

/** Serves Streamable HTTP, and says where and how to register it. Rejects with `CommandFailure`. */
export async function serveHttp(server: MCPServer, options: HttpPart, { env, log }: Setting): Promise<void> {
  const token = readToken(options.token, env);
  log.hide(token);
  const host = options.host.replace(/^\[(.*)\]$/, "$1");
  const path = options.path.startsWith("/") ? options.path : `/${options.path}`;
  const settings: HttpOptions = {
    port: options.port,
    host,
    path,
    allowedOrigins: ["loopback", ...(options.origin ?? [])],
    allowedHosts: chooseHosts({ ...options, host, token }),
    auth: token === undefined ? undefined : createTokenCheck(token),
    legacy: { sessions: "memory", idleTimeout: IDLE_TIMEOUT },
    onError: (error) => log.error(error instanceof Error ? error.message : String(error)),
    onWarning: (message) => log.debug(message),
  };
  const listener = await server.startHttp(settings).catch((error: unknown) => {
    throw explain(error, options);
  });
  const url = listReachableUrl({ host, path, listener });
  log.info(`Serving ${url}`);
  log.info(describeRegistration(url, token !== undefined));
}

/** Puts what only the command line can mend into one line. */
function explain(error: unknown, { host, port }: HttpPart): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (!(error instanceof Error)) return error;
  if (code === "invalid_options") return new CommandFailure(error.message, EXIT.usage, { cause: error });
  if (code === "address_in_use") return new CommandFailure(error.message, EXIT.failed, { cause: error });
  const reason = {
    EACCES: "this needs more rights",
    EADDRNOTAVAIL: "this machine has no such address",
    ENOTFOUND: "nobody knows this name",
  }[String(code)];
  if (reason === undefined) return error;
  return new CommandFailure(`Port ${port} on ${host} cannot be listened on: ${reason}`, EXIT.failed, { cause: error });
}
