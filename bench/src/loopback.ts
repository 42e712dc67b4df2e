import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Listens on a free port of the loopback interface and resolves to it. */
export async function serveOnLoopback(server: Server): Promise<number> {
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port; // a TCP server's address is always of this form
}
