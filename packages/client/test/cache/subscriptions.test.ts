import { describe, expect, test, vi } from "vitest";
import { startFake } from "../fake-http.js";
import { createFakePipe } from "../fake-pipe.js";
import { acknowledge, askedFor, LISTEN, type OpenStream, serveListening, updated } from "../listening-server.js";
import { DISCOVERED } from "../modern-server.js";
import { openClient } from "../open-client.js";
import { ABILITIES, createReadings } from "./counting-server.js";

const KEPT = { resultType: "complete", ttlMs: 60_000, cacheScope: "private" };
const FILTER = { resourceSubscriptions: ["docs://a"] };

async function startServer() {
  const streams: OpenStream[] = [];
  const read = createReadings();
  const fake = await startFake(
    serveListening(streams, {
      "server/discover": (reply) => reply.result({ ...DISCOVERED, capabilities: ABILITIES }),
      "resources/read": (reply) => reply.result({ ...KEPT, ...read(reply.request.message.params, reply) }),
    }),
  );
  return { fake, streams };
}

describe("what a subscription covers", () => {
  test("is fresh for whoever hears of a change and asks at once, over HTTP", async () => {
    const { fake, streams } = await startServer();
    const client = openClient(fake.url);
    const texts: Promise<string>[] = [];
    const read = async (uri: string): Promise<string> => (await client.readResource(uri)).text;
    await client.subscribe(FILTER, { onChange: () => texts.push(read("docs://a")) });
    await read("docs://a");

    streams[0]?.send(updated(streams[0].id, "docs://a"));

    await vi.waitFor(() => expect(texts).toHaveLength(1));
    expect(await texts[0]).toBe("docs://a 2");
  });

  test("is fresh for whoever hears of a change and asks at once, on a pipe", async () => {
    let readings = 0;
    const pipe = createFakePipe(({ message, result, pipe }) => {
      const { id, method } = message;
      if (method === "server/discover") result({ ...DISCOVERED, capabilities: ABILITIES });
      else if (method === LISTEN) setTimeout(() => pipe.emit(acknowledge(id, askedFor(message))), 0);
      else if (method === "resources/read") {
        readings += 1;
        result({ ...KEPT, contents: [{ uri: "docs://a", text: String(readings) }] });
      }
    });
    const client = openClient({ transport: pipe });
    const texts: Promise<string>[] = [];
    const read = async (): Promise<string> => (await client.readResource("docs://a")).text;
    await client.subscribe(FILTER, { onChange: () => texts.push(read()) });
    await read();

    pipe.emit(updated(pipe.log.find(({ method }) => method === LISTEN)?.id, "docs://a"));

    expect(await texts[0]).toBe("2");
  });

  test("is not believed any more when its stream broke, and after it came back; all else is", async () => {
    const { fake, streams } = await startServer();
    const client = openClient(fake.url);
    const read = async (uri: string): Promise<string> => (await client.readResource(uri)).text;
    const texts: Promise<string>[] = [];
    const onRestored = vi.fn();
    await client.subscribe(FILTER, { onLost: () => texts.push(read("docs://a")), onRestored });
    await read("docs://a");
    await read("docs://b");

    streams[0]?.response.destroy();
    await vi.waitFor(() => expect(onRestored).toHaveBeenCalled());
    texts.push(read("docs://a"), read("docs://b"));

    expect(await Promise.all(texts)).toEqual(["docs://a 3", "docs://a 4", "docs://b 2"]);
  });
});
