import { describe, expect, onTestFinished, test } from "vitest";
import { ADAPTERS } from "./adapters.js";
import { createFixture, legacy } from "./fixture.js";

describe.each(ADAPTERS)("$name, whose verifier", ({ mount }) => {
  test.each([
    ["refuses with a header that HTTP cannot carry", () => refuse({ headers: ["WWW-Authenticate", "two\nlines"] })],
    ["refuses with a status that HTTP does not have", () => refuse({ status: 42 })],
    ["refuses with headers that are no list", () => refuse({ headers: {} })],
    ["gives no verdict", () => undefined],
    ["throws", () => Promise.reject(new Error("no keys"))],
  ])("%s, answers 500 and tells the owner", async (_, verify) => {
    const errors: unknown[] = [];
    const { server } = createFixture();
    const auth = { verify: verify as never };
    const mounted = await mount(server, { auth, onError: (error) => errors.push(error) });
    onTestFinished(() => mounted.close());
    expect(await mounted.send(legacy("ping"))).toMatchObject({ status: 500 });
    expect(errors).toHaveLength(1);
  });
});

function refuse(more: object): object {
  return { refused: { status: 401, message: "Who are you?", ...more } };
}
