import type { Authorizer } from "@mortise/client";
import { MortiseError } from "@mortise/core";
import { describe, expect, test, vi } from "vitest";
import { type Reply, startFake } from "./fake-http.js";
import { initializeResult, serveLegacy } from "./legacy-server.js";
import { acknowledge, LISTEN, type OpenStream, openListening, serveListening } from "./listening-server.js";
import { openClient, pause } from "./open-client.js";
import { openStream } from "./stream-reply.js";

const FILTER = { toolsListChanged: true } as const;

interface Guarded {
  readonly url: string;
  /** Refuses the credential that is in use, and breaks every stream. */
  revoke(): void;
  streams(): number;
}

async function startGuarded(era: "modern" | "legacy"): Promise<Guarded> {
  let valid = "Bearer 1";
  const open: { destroy(): void }[] = [];
  const streams: OpenStream[] = [];
  const serve =
    era === "modern"
      ? serveListening(streams, {
          [LISTEN]: (reply) => {
            const stream = openListening(reply);
            open.push(reply.response);
            stream.send(acknowledge(stream.id, FILTER));
          },
        })
      : serveLegacy({
          overrides: {
            initialize: (reply) =>
              reply.result({ ...initializeResult(), capabilities: { tools: { listChanged: true } } }),
            GET: ({ response }) => {
              openStream(response).write("retry: 20\n\n");
              open.push(response);
            },
          },
        });
  const fake = await startFake((reply: Reply) => {
    if (reply.request.headers.authorization === valid) serve(reply);
    else reply.status(401, "", { "www-authenticate": "Bearer" });
  });
  return {
    url: fake.url,
    revoke() {
      valid = "Bearer 2";
      for (const response of open) response.destroy();
    },
    streams: () => open.length,
  };
}

/** Has the first credential, and gets the second in a login that takes longer than requests may take. */
function createAuth(login: () => Promise<boolean>): Authorizer {
  let current = "Bearer 1";
  return {
    authorize: () => ({ headers: { Authorization: current } }),
    async refused() {
      await pause(250);
      const again = await login();
      if (again) current = "Bearer 2";
      return again;
    },
  };
}

describe.each(["modern", "legacy"] as const)("a subscription to a protected server that is %s", (era) => {
  test("comes back with new credentials, however long the login takes", async () => {
    const server = await startGuarded(era);
    const auth = createAuth(() => Promise.resolve(true));
    const client = openClient({ url: server.url, era, auth, timeout: 200 });
    const onRestored = vi.fn();
    await client.subscribe(FILTER, { onRestored });

    server.revoke();

    await vi.waitFor(() => expect(onRestored).toHaveBeenCalledTimes(1), { timeout: 4_000 });
    expect(server.streams()).toBe(2);
  });

  test("ends when there are no new credentials", async () => {
    const server = await startGuarded(era);
    const auth = createAuth(() => Promise.reject(new MortiseError("login_denied", "no")));
    const client = openClient({ url: server.url, era, auth });
    const { closed } = await client.subscribe(FILTER);

    server.revoke();

    expect(await closed).toMatchObject({ reason: "failed", error: { code: "login_denied" } });
    expect(server.streams()).toBe(1);
  });
});
