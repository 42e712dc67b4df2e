import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { type LoginServers, startLoginServers } from "../src/login-server.js";
import { type RunningBrowser, startBrowser } from "../src/runtimes/chromium.js";

const GREETED = { value: '{"message":"Hello, Ada!"}' };

let browser: RunningBrowser;
let servers: LoginServers;

beforeAll(async () => {
  browser = await startBrowser();
}, 30_000);
afterAll(async () => {
  await browser.stop();
});
beforeEach(async () => {
  servers = await startLoginServers();
  onTestFinished(() => servers.stop());
});

test("a page logs in in a window of its own, which closes", async () => {
  const { call, page } = await browser.openPage();

  const outcome = await call("callGuarded", servers.url, "popup");

  expect(outcome).toEqual(GREETED);
  expect(servers.asked).toEqual([
    "GET /.well-known/oauth-authorization-server",
    "POST /register",
    "GET /authorize",
    "POST /token",
  ]);
  await expect.poll(() => page.context().pages().length).toBe(1);
});

test("a page that left for a login goes on with it when it comes back, and keeps it", async () => {
  const { call, page } = await browser.openPage();

  const leaving = call("callGuarded", servers.url, "page").catch(() => "left");
  await page.waitForURL("**/callback?**");
  await page.waitForFunction(() => "program" in globalThis);
  const server = await call("finishLogin");
  const outcome = await call("callGuarded", servers.url, "page");

  expect(await leaving).toBe("left");
  expect(server).toBe(servers.url);
  expect(outcome).toEqual(GREETED);
  expect(servers.asked.filter((one) => one === "GET /authorize")).toHaveLength(1);
});

test("an answer finishes one login once", async () => {
  const { call, page } = await browser.openPage();
  const leaving = call("callGuarded", servers.url, "page").catch(() => "left");
  await page.waitForURL("**/callback?**");
  await page.waitForFunction(() => "program" in globalThis);
  await call("finishLogin");

  const again = await call("finishLogin");

  await leaving;
  expect(again).toBeUndefined();
  expect(servers.asked.filter((one) => one === "POST /token")).toHaveLength(1);
});

test("a window that the user closes denies the login", async () => {
  const asking = await startLoginServers({ asks: true });
  onTestFinished(() => asking.stop());
  const { call, page } = await browser.openPage();

  const opening = page.context().waitForEvent("page");
  const calling = call("callGuarded", asking.url, "popup");
  const popup = await opening;
  await popup.waitForURL("**/authorize?**");
  await popup.close();

  expect(await calling).toMatchObject({ error: { code: "login_denied" } });
});
