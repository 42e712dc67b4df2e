import { describe, expect, test } from "vitest";
import { classifyAddress } from "../../src/oauth/address-ranges.js";
import { checkAddress, checkLoginUrl, classifyHost } from "../../src/oauth/address-rules.js";

const PUBLIC = new URL("https://mcp.example.com/mcp");
const LOOPBACK = new URL("http://127.0.0.1:3000/mcp");
const PRIVATE = new URL("https://10.0.0.5/mcp");

/** The code that a check fails with, or "allowed". */
async function verdict(check: () => unknown): Promise<unknown> {
  try {
    await check();
    return "allowed";
  } catch (error) {
    return (error as { code?: unknown }).code; // read only to be compared
  }
}

describe("where a host leads", () => {
  test.each([
    ["https://example.com", "public"],
    ["https://93.184.216.34", "public"],
    ["https://[2606:4700::1111]", "public"],
    ["http://127.0.0.1", "loopback"],
    ["http://127.9.9.9", "loopback"],
    ["http://127.1", "loopback"],
    ["http://2130706433", "loopback"],
    ["http://0x7f000001", "loopback"],
    ["http://0177.0.0.1", "loopback"],
    ["http://127.0.0.1.", "loopback"],
    ["http://１２７.0.0.1", "loopback"],
    ["http://localhost", "loopback"],
    ["http://LOCALHOST.", "loopback"],
    ["http://app.localhost", "loopback"],
    ["http://[::1]", "loopback"],
    ["http://[0:0:0:0:0:0:0:1]", "loopback"],
    ["http://[::ffff:127.0.0.1]", "loopback"],
    ["http://[::ffff:7f00:1]", "loopback"],
    ["http://[::127.0.0.1]", "loopback"],
    ["http://[::ffff:7f:1:2]", "public"],
    ["http://10.0.0.1", "private"],
    ["http://172.16.0.1", "private"],
    ["http://172.31.255.255", "private"],
    ["http://172.32.0.1", "public"],
    ["http://192.168.1.1", "private"],
    ["http://100.64.0.1", "private"],
    ["http://[fd00::1]", "private"],
    ["http://[fc00::1]", "private"],
    ["http://[fec0::1]", "private"],
    ["http://[::ffff:10.0.0.1]", "private"],
    ["http://[64:ff9b::10.0.0.1]", "private"],
    ["http://[2002:a00:1::]", "private"],
    ["http://169.254.1.1", "link-local"],
    ["http://[fe80::1]", "link-local"],
    ["http://169.254.169.254", "metadata"],
    ["http://2852039166", "metadata"],
    ["http://0xa9.0xfe.0xa9.0xfe", "metadata"],
    ["http://0251.0376.0251.0376", "metadata"],
    ["http://169.254.169.254.", "metadata"],
    ["http://[::ffff:169.254.169.254]", "metadata"],
    ["http://[::ffff:a9fe:a9fe]", "metadata"],
    ["http://[::ffff:0:a9fe:a9fe]", "metadata"],
    ["http://[fd00:ec2::254]", "metadata"],
    ["http://metadata.google.internal", "metadata"],
    ["http://100.100.100.200", "metadata"],
    ["http://0.0.0.0", "reserved"],
    ["http://0", "reserved"],
    ["http://[::]", "reserved"],
    ["http://224.0.0.1", "reserved"],
    ["http://255.255.255.255", "reserved"],
    ["http://198.18.0.1", "reserved"],
    ["http://[ff02::1]", "reserved"],
    ["http://[2001:db8::1]", "reserved"],
    ["http://intranet", "local-name"],
    ["http://sso.corp.internal", "local-name"],
    ["http://printer.local.", "local-name"],
  ])("%s is %s", async (text, kind) => {
    expect(await classifyHost(new URL(text).hostname)).toBe(kind);
  });

  test.each([
    ["::ffff:10.0.0.1", "private"],
    ["fe80::1%eth0", "link-local"],
    ["1.1.1.1", "public"],
    ["not an address", "reserved"],
    ["", "reserved"],
  ])("a resolved address %j is %s", (address, kind) => {
    expect(classifyAddress(address)).toBe(kind);
  });
});

describe("where requests may go", () => {
  test.each([
    ["https://auth.example.com/", PUBLIC, "allowed"],
    ["HTTPS://AUTH.example.com/", PUBLIC, "allowed"],
    ["https://sso.corp.internal/", PUBLIC, "allowed"],
    ["http://auth.example.com/", PUBLIC, "address_refused"],
    ["http://127.0.0.1:9/", PUBLIC, "address_refused"],
    ["https://127.0.0.1:9/", PUBLIC, "address_refused"],
    ["https://localhost/", PUBLIC, "address_refused"],
    ["https://10.0.0.1/", PUBLIC, "address_refused"],
    ["https://169.254.169.254/", PUBLIC, "address_refused"],
    ["http://127.0.0.1:9/", LOOPBACK, "allowed"],
    ["http://localhost:9/", LOOPBACK, "allowed"],
    ["http://[::1]:9/", LOOPBACK, "allowed"],
    ["https://10.0.0.1/", LOOPBACK, "allowed"],
    ["http://10.0.0.1/", LOOPBACK, "address_refused"],
    ["http://example.com/", LOOPBACK, "address_refused"],
    ["https://169.254.169.254/", LOOPBACK, "address_refused"],
    ["https://[fe80::1]/", LOOPBACK, "address_refused"],
    ["http://0.0.0.0:9/", LOOPBACK, "address_refused"],
    ["https://10.9.9.9/", PRIVATE, "allowed"],
    ["https://127.0.0.1/", PRIVATE, "address_refused"],
    ["file:///etc/passwd", LOOPBACK, "address_refused"],
    ["gopher://x/", LOOPBACK, "address_refused"],
    ["https://u:p@auth.example.com/", PUBLIC, "address_refused"],
    ["//auth.example.com/", PUBLIC, "address_refused"],
    ["", PUBLIC, "address_refused"],
  ])("%j, named by %s, is %s", async (text, near, expected) => {
    expect(await verdict(() => checkAddress(text, "a test", { near: [near] }))).toBe(expected);
  });

  test.each([
    ["https://auth.example.com/", "allowed"],
    ["http://127.0.0.1:9/", "address_refused"],
    ["https://127.0.0.1:9/", "address_refused"],
    ["https://10.0.0.1/", "address_refused"],
    ["https://sso.corp.internal/", "address_refused"],
    ["https://redis/", "address_refused"],
  ])("%j is %s in a hosted program, wherever the server is", async (text, expected) => {
    expect(await verdict(() => checkAddress(text, "a test", { near: [LOOPBACK, PRIVATE], hosted: true }))).toBe(
      expected,
    );
  });

  test("a refusal names what named the address and its class", async () => {
    await expect(checkAddress("https://2852039166/", '"token_endpoint"', { near: [PUBLIC] })).rejects.toThrow(
      /"token_endpoint".*metadata/,
    );
  });
});

describe("addresses that a browser is to open", () => {
  test.each([
    "javascript:alert(1)//",
    " javascript:1",
    "java\tscript:1",
    "file:///etc/passwd",
    "smb://127.0.0.1/x",
    "data:text/html,<script>1</script>",
    "vscode://x",
    "HTTP://auth.example.com/",
    "http://evil.example/authorize",
    "https://u:p@x.example/",
    "//x.example/a",
    "",
    undefined,
    null,
    7,
    {},
  ])("%j is refused", async (text) => {
    expect(await verdict(() => checkLoginUrl(text, "a test"))).toBe("address_refused");
  });

  test.each([
    "https://auth.example.com/a?b=c",
    "HTTPS://AUTH.example.com/",
    "http://127.0.0.1:9/a",
    "http://localhost/",
  ])("%j is opened", (text) => {
    expect(checkLoginUrl(text, "a test").href).toBe(new URL(text).href);
  });

  test("the refusal names the field and the scheme", () => {
    expect(() => checkLoginUrl("javascript:alert(1)", '"authorization_endpoint"')).toThrow(
      /"authorization_endpoint".*"javascript"/,
    );
  });
});
