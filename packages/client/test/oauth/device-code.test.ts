import { describe, expect, test, vi } from "vitest";
import type { GrantContext } from "../../src/oauth/grant.js";
import { createDeviceCodeGrant, type DeviceCode } from "../../src/oauth/grants/device-code.js";
import { readRefusal } from "../../src/oauth/token-refusal.js";
import type { TokenSet } from "../../src/oauth/token-set.js";
import {
  contextOf,
  endpointOf,
  type FormAnswer,
  type FormServer,
  metadataOf,
  startFormServer,
  TOKEN,
} from "./token-server.js";

const AUTHORIZATION = {
  device_code: "the-device-code",
  user_code: "WDJB-MJHT",
  verification_uri: "https://as.example/device",
  verification_uri_complete: "https://as.example/device?user_code=WDJB-MJHT",
  expires_in: 900,
  interval: 7,
};
const PENDING: FormAnswer = { status: 400, body: { error: "authorization_pending" } };

/** A server that gives a code, then answers one question after the other. The last answer stands. */
async function startDeviceServer(
  answers: readonly FormAnswer[],
  first: FormAnswer = { body: AUTHORIZATION },
): Promise<FormServer> {
  return startFormServer(({ path }, count) =>
    path === "/device" ? first : (answers[count - 2] ?? answers.at(-1) ?? PENDING),
  );
}

function deviceContext(server: FormServer, more: Partial<GrantContext> = {}): GrantContext {
  const metadata = metadataOf(server, { deviceAuthorizationEndpoint: `${server.url}/device` });
  return contextOf(server, { metadata, ...more });
}

interface Login {
  readonly waits: number[];
  readonly codes: DeviceCode[];
  readonly outcome: Promise<TokenSet>;
}

/** Logs in without waiting for real. */
function logIn(context: GrantContext): Login {
  const waits: number[] = [];
  const codes: DeviceCode[] = [];
  const grant = createDeviceCodeGrant({
    onDeviceCode: (code) => void codes.push(code),
    wait: async (ms, signal) => {
      signal.throwIfAborted();
      waits.push(ms);
      vi.setSystemTime(Date.now() + ms);
    },
  });
  return { waits, codes, outcome: withClock(() => grant.obtain(context)) };
}

async function withClock<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}

test("shows the code, and asks until the person is done", async () => {
  const server = await startDeviceServer([PENDING, PENDING, { body: TOKEN }]);

  const { codes, waits, outcome } = logIn(deviceContext(server));

  expect(await outcome).toMatchObject({ accessToken: "T1", scope: "a b" });
  expect(codes).toMatchObject([{ userCode: "WDJB-MJHT", issuer: server.url }]);
  expect(codes[0]?.verificationUrl.href).toBe("https://as.example/device");
  expect(codes[0]?.completeUrl?.href).toBe("https://as.example/device?user_code=WDJB-MJHT");
  expect(waits).toEqual([7000, 7000, 7000]);
});

test("says who asks for what", async () => {
  const server = await startDeviceServer([{ body: TOKEN }]);

  await logIn(deviceContext(server)).outcome;

  expect(Object.fromEntries(server.log[0]?.form ?? [])).toEqual({
    client_id: "client-1",
    scope: "a b",
    resource: "https://mcp.example/mcp",
  });
  expect(Object.fromEntries(server.log[1]?.form ?? [])).toEqual({
    grant_type: "urn:ietf:params:oauth:grant-type:device_code",
    device_code: "the-device-code",
    resource: "https://mcp.example/mcp",
    client_id: "client-1",
  });
});

test("names no resource to an issuer that refuses one", async () => {
  const server = await startDeviceServer([{ body: TOKEN }]);
  const endpoint = endpointOf(server, { resource: undefined });

  await logIn(deviceContext(server, { endpoint })).outcome;

  expect(server.log.some(({ form }) => form.has("resource"))).toBe(false);
});

test("asks more seldom when it is told to slow down, for good", async () => {
  const server = await startDeviceServer([{ status: 400, body: { error: "slow_down" } }, PENDING, { body: TOKEN }]);

  const { waits, outcome } = logIn(deviceContext(server));

  await outcome;
  expect(waits).toEqual([7000, 12_000, 12_000]);
});

test("asks half as often when the server is down", async () => {
  const server = await startDeviceServer([{ status: 503, body: "down" }, { body: TOKEN }]);

  const { waits, outcome } = logIn(deviceContext(server));

  await outcome;
  expect(waits).toEqual([7000, 14_000]);
});

test.each([undefined, 0, "soon", null])("asks every five seconds when the interval is %j", async (interval) => {
  const server = await startDeviceServer([{ body: TOKEN }], { body: { ...AUTHORIZATION, interval } });

  const { waits, outcome } = logIn(deviceContext(server));

  await outcome;
  expect(waits).toEqual([5000]);
});

test("gives up when the code has ended, however long the interval", async () => {
  const server = await startDeviceServer([PENDING], { body: { ...AUTHORIZATION, interval: 40, expires_in: "100" } });

  const { waits, outcome } = logIn(deviceContext(server));

  await expect(outcome).rejects.toMatchObject({ code: "login_failed" });
  expect(waits.slice(0, 2)).toEqual([40_000, 40_000]);
  expect(waits.reduce((sum, ms) => sum + ms)).toBeLessThanOrEqual(100_000);
});

test.each([
  ["access_denied", "login_denied"],
  ["expired_token", "login_failed"],
  ["invalid_client", "login_failed"],
])("ends at once when the server answers %s", async (error, code) => {
  const server = await startDeviceServer([{ status: 400, body: { error } }]);

  const outcome = await logIn(deviceContext(server)).outcome.catch((reason: unknown) => reason);

  expect(outcome).toMatchObject({ code });
  expect(readRefusal(outcome)?.error).toBe(error);
  expect(server.log).toHaveLength(2);
});

test("ends with the reason of its signal while it waits", async () => {
  const server = await startDeviceServer([PENDING]);
  const aborter = new AbortController();
  const grant = createDeviceCodeGrant({ onDeviceCode: () => aborter.abort(new Error("enough")) });

  await expect(grant.obtain(deviceContext(server, { signal: aborter.signal }))).rejects.toThrow("enough");
});

test("ends with whatever keeps the code from being shown", async () => {
  const server = await startDeviceServer([PENDING]);
  const grant = createDeviceCodeGrant({ onDeviceCode: () => Promise.reject(new Error("no screen")) });

  await expect(grant.obtain(deviceContext(server))).rejects.toThrow("no screen");
});

test("tells what shows the code when the login is over", async () => {
  const server = await startDeviceServer([{ body: TOKEN }]);
  const signals: AbortSignal[] = [];
  const grant = createDeviceCodeGrant({
    onDeviceCode: (_code, signal) => void signals.push(signal),
    wait: async () => undefined,
  });

  await grant.obtain(deviceContext(server));

  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test("needs a server that gives codes", async () => {
  const server = await startFormServer();

  await expect(logIn(contextOf(server)).outcome).rejects.toMatchObject({ code: "login_failed" });
  expect(server.log).toHaveLength(0);
});

describe("an answer", () => {
  test("may use the older name of the page's address", async () => {
    const { verification_uri, verification_uri_complete: _complete, ...rest } = AUTHORIZATION;
    const server = await startDeviceServer([{ body: TOKEN }], {
      body: { ...rest, verification_url: verification_uri },
    });

    const { codes, outcome } = logIn(deviceContext(server));

    await outcome;
    expect(codes[0]?.verificationUrl.href).toBe("https://as.example/device");
    expect(codes[0]?.completeUrl).toBeUndefined();
  });

  test.each([
    { verification_uri: "javascript:alert(1)" },
    { verification_uri: "http://as.example/device" },
    { verification_uri: "file:///etc/passwd" },
    { verification_uri_complete: "mailto:x@as.example" },
    { verification_uri_complete: "https://user:pass@as.example/" },
  ])("that leads nowhere a browser may go is refused: %j", async (more) => {
    const server = await startDeviceServer([{ body: TOKEN }], { body: { ...AUTHORIZATION, ...more } });

    const { codes, outcome } = logIn(deviceContext(server));

    await expect(outcome).rejects.toMatchObject({ code: "address_refused" });
    expect(codes).toHaveLength(0);
  });

  test.each([
    { user_code: undefined },
    { user_code: "A\u001b[2JB" },
    { user_code: "x".repeat(65) },
    { device_code: null },
    { expires_in: "never" },
    { verification_uri: 7 },
  ])("that is no code is refused: %j", async (more) => {
    const server = await startDeviceServer([{ body: TOKEN }], { body: { ...AUTHORIZATION, ...more } });

    const outcome = await logIn(deviceContext(server)).outcome.catch((reason: unknown) => reason);

    expect(outcome).toMatchObject({ code: "login_failed" });
    expect((outcome as Error).cause).toBeUndefined();
    expect(String(outcome)).not.toContain("the-device-code");
  });

  test("that refuses is told", async () => {
    const server = await startDeviceServer([], { status: 400, body: { error: "invalid_scope" } });

    const outcome = await logIn(deviceContext(server)).outcome.catch((reason: unknown) => reason);

    expect(readRefusal(outcome)?.error).toBe("invalid_scope");
  });
});
