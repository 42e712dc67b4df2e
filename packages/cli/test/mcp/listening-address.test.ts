import { hostname } from "node:os";
import { describe, expect, test } from "vitest";
import { chooseHosts } from "../../src/mcp/listening-address.js";

describe("on this machine alone", () => {
  test.each(["127.0.0.1", "127.5.5.5", "localhost", "::1"])("%s needs nothing else", (host) => {
    expect(chooseHosts({ host })).toBe("auto");
  });

  test("a name from a proxy before it can be added", () => {
    expect(chooseHosts({ host: "127.0.0.1", allowHost: ["mcp.example.com"] })).toEqual(["loopback", "mcp.example.com"]);
  });
});

describe("beyond this machine", () => {
  test.each(["0.0.0.0", "::", "192.168.1.5", "box.example.com", "127.0.0.1.example.com"])(
    "%s is refused with neither token nor consent",
    (host) => {
      expect(() => chooseHosts({ host })).toThrow(expect.objectContaining({ exitCode: 2 }));
    },
  );

  test("every name will do with a token, which no foreign page knows", () => {
    expect(chooseHosts({ host: "0.0.0.0", token: "t" })).toBe("*");
  });

  test("names that are listed are kept to, token or not", () => {
    expect(chooseHosts({ host: "192.168.1.5", token: "t", allowHost: ["box"] })).toEqual([
      "loopback",
      "192.168.1.5",
      "box",
    ]);
  });

  test("without a token only this machine's own names will do", () => {
    expect(chooseHosts({ host: "192.168.1.5", allowUnauthenticated: true })).toEqual(["loopback", "192.168.1.5"]);
    expect(chooseHosts({ host: "fd00::5", allowUnauthenticated: true })).toEqual(["loopback", "[fd00::5]"]);
    expect(chooseHosts({ host: "0.0.0.0", allowUnauthenticated: true })).toEqual(
      expect.arrayContaining(["loopback", hostname()]),
    );
  });
});
