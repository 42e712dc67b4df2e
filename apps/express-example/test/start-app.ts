import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createApp } from "../src/app.js";

/** Serves the application on a free port until the test is over. Gives its address. */
export async function startApp(): Promise<string> {
  const listener = createApp().listen(0, "127.0.0.1");
  await new Promise((resolve) => listener.once("listening", resolve));
  onTestFinished(() => {
    listener.closeAllConnections();
    listener.close();
  });
  const { port } = listener.address() as AddressInfo; // a listener on a port has an address of this form
  return `http://127.0.0.1:${port}`;
}
