import { expect, test, vi } from "vitest";
import { startFake } from "./fake-http.js";
import { serveLegacy } from "./legacy-server.js";
import { openClient } from "./open-client.js";
import { event, openStream } from "./stream-reply.js";

const NEWS = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };

test("the stream of a legacy session goes on behind the last event that can be named, after a second where no valid time is given", async () => {
  const lastIds: unknown[] = [];
  const times: number[] = [];
  const fake = await startFake(
    serveLegacy({
      overrides: {
        GET: ({ request, response }) => {
          lastIds.push(request.headers["last-event-id"]);
          times.push(performance.now());
          openStream(response);
          if (lastIds.length > 1) return;
          const [named, odd] = [`id: e${lastIds.length}\ndata:\n\n`, `id: a\0b\nId: c\nretry: 12x\n${event(NEWS)}`];
          response.end(named + odd);
        },
      },
    }),
  );
  await openClient({ url: fake.url, era: "legacy", listen: true }).connect();

  await vi.waitFor(() => expect(lastIds).toHaveLength(2), { timeout: 5_000 });

  expect(lastIds).toEqual([undefined, "e1"]);
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(800);
});
