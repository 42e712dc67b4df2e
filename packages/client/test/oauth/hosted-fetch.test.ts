import { hostedFetch } from "@mortise/client/oauth/node";
import { describe, expect, test } from "vitest";
import { createHostedFetch } from "../../src/oauth/node/hosted-fetch.js";
import { startFake } from "../fake-http.js";
import { failureOf } from "../open-client.js";

/** A guard whose names resolve as a test says, and which lets a test's own server be reached when it says so. */
function guarded(addresses: readonly string[], isOpen: (address: string) => boolean = () => false): typeof fetch {
  return createHostedFetch({
    resolve: (_, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      ),
    isOpen,
  });
}

describe("fetch of hosted programs", () => {
  test.each(["http://127.0.0.1", "http://[::1]", "http://[::ffff:127.0.0.1]", "http://2130706433", "http://0.0.0.0"])(
    "does not connect to %s",
    async (origin) => {
      const fake = await startFake((reply) => reply.json({}));

      expect(await failureOf(hostedFetch()(`${origin}:${fake.port}/`))).toMatchObject({ code: "address_refused" });

      expect(fake.connections()).toBe(0);
    },
  );

  test("does not connect to a name that leads to this machine", async () => {
    const fake = await startFake((reply) => reply.json({}));

    expect(await failureOf(hostedFetch()(`http://localhost:${fake.port}/`))).toMatchObject({ code: "address_refused" });

    expect(fake.connections()).toBe(0);
  });

  test("does not connect to a name with one address inside among others", async () => {
    const fake = await startFake((reply) => reply.json({}));
    const fetch = guarded(["93.184.216.34", "127.0.0.1"], (address) => address === "93.184.216.34");

    const error = await failureOf(fetch(`http://rebind.example.com:${fake.port}/`));

    expect(error).toMatchObject({ code: "address_refused" });
    expect(fake.connections()).toBe(0);
  });

  test("connects to the address that was checked, and looks a name up once", async () => {
    const fake = await startFake((reply) => reply.status(201, "there", { "x-a": "b" }));
    let lookups = 0;
    const fetch = createHostedFetch({
      resolve: (_, callback) => {
        lookups += 1;
        callback(null, [{ address: lookups === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }]);
      },
      isOpen: (address) => address === "127.0.0.1",
    });

    const response = await fetch(`http://auth.example.com:${fake.port}/a?b=c`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"id":1}',
    });

    expect(response.status).toBe(201);
    expect(response.headers.get("x-a")).toBe("b");
    expect(await response.text()).toBe("there");
    expect(fake.log[0]).toMatchObject({ method: "POST", path: "/a?b=c", text: '{"id":1}' });
    expect(fake.log[0]?.headers.host).toBe(`auth.example.com:${fake.port}`);
    expect(lookups).toBe(1);
  });

  test("gives a redirect as it is", async () => {
    const fake = await startFake((reply) => reply.status(302, "", { location: "http://127.0.0.1:1/" }));
    const fetch = guarded(["127.0.0.1"], () => true);

    const response = await fetch(`http://auth.example.com:${fake.port}/`);

    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe("http://127.0.0.1:1/");
    await response.body?.cancel();
  });

  test("gives answers without a body", async () => {
    const fake = await startFake((reply) => reply.status(204));
    const fetch = guarded(["127.0.0.1"], () => true);

    expect(await (await fetch(`http://auth.example.com:${fake.port}/`)).text()).toBe("");
  });

  test("ends with its signal", async () => {
    const controller = new AbortController();
    const fake = await startFake(() => controller.abort());
    const fetch = guarded(["127.0.0.1"], () => true);

    const error = await failureOf(fetch(`http://auth.example.com:${fake.port}/`, { signal: controller.signal }));

    expect(error.name).toBe("AbortError");
  });

  test("fails when nobody knows the name", async () => {
    const fetch = createHostedFetch({
      resolve: (_, callback) => callback(new Error("ENOTFOUND"), []),
      isOpen: () => true,
    });

    expect((await failureOf(fetch("http://nowhere.example.com/"))).message).toContain("ENOTFOUND");
  });
});
