import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Listens on a free port of this machine. */
export async function open(listener: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    listener.once("error", reject);
    listener.listen(0, "127.0.0.1", resolve);
  });
  return (listener.address() as AddressInfo).port; // a listener on a port has an address of this form
}

/** Ends a listener with every connection it has. */
export async function end(listener: Server): Promise<void> {
  listener.closeAllConnections();
  await new Promise((resolve) => listener.close(resolve));
}

/** A port of this machine where nothing listens. */
export async function findClosedPort(): Promise<number> {
  const listener = createServer();
  const port = await open(listener);
  await end(listener);
  return port;
}
