import type { AddressClass } from "./address-rules.js";

/** Ranges of IPv4 by class, single addresses first. */
const IPV4_RANGES: readonly (readonly [AddressClass, string])[] = [
  [
    "metadata",
    "169.254.169.254/32 169.254.170.2/32 169.254.170.23/32 100.100.100.200/32 168.63.129.16/32 192.0.0.192/32",
  ],
  ["loopback", "127.0.0.0/8"],
  ["private", "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10"],
  ["link-local", "169.254.0.0/16"],
  ["reserved", "0.0.0.0/8 192.0.0.0/24 192.0.2.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3"],
];

/** Ranges of IPv6: the beginning in full groups of four digits, class. */
const IPV6_RANGES: readonly (readonly [RegExp, AddressClass])[] = [
  [/^(0000:){7}0001$/, "loopback"],
  [/^(0000:){7}0000$/, "reserved"],
  [/^fd00:0ec2:(0000:){5}0254$/, "metadata"],
  [/^fd20:00ce:(0000:){5}0254$/, "metadata"],
  [/^f[cd]/, "private"],
  [/^fe[c-f]/, "private"],
  [/^fe[89ab]/, "link-local"],
  [/^(ff|0100:(0000:){3}|2001:0000:|2001:0db8:|0064:ff9b:0001:)/, "reserved"],
];
/** IPv6 addresses that stand for one of IPv4, which is what counts: mapped, compatible, translated, and 6to4. */
const EMBEDDED = /^(?:(?:0000:){5}(?:ffff|0000):|(?:0000:){4}ffff:0000:|0064:ff9b:(?:0000:){4}|2002:)(....):(....)/;

/** Tells where an IP address leads, in whatever spelling. What is no address is `reserved`. */
export function classifyAddress(address: string): AddressClass {
  const [bare = ""] = address.split("%"); // a zone may follow
  const text = bare.includes(":") ? `http://[${bare}]` : `http://${bare}`;
  const host = URL.canParse(text) ? new URL(text).hostname : "";
  if (host.startsWith("[")) return classifyV6(expandV6(host.slice(1, -1)));
  return /^\d+\.\d+\.\d+\.\d+$/.test(host) ? classifyV4(toNumber(host)) : "reserved";
}

function classifyV4(address: number): AddressClass {
  const isIn = (range: string): boolean => {
    const [start = "", length] = range.split("/");
    const size = 2 ** (32 - Number(length));
    return Math.floor(address / size) === Math.floor(toNumber(start) / size);
  };
  return IPV4_RANGES.find(([, ranges]) => ranges.split(" ").some(isIn))?.[0] ?? "public";
}

function toNumber(address: string): number {
  return address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}

function classifyV6(address: string): AddressClass {
  for (const [pattern, kind] of IPV6_RANGES) if (pattern.test(address)) return kind;
  const [, high, low] = EMBEDDED.exec(address) ?? [];
  return high === undefined ? "public" : classifyV4(Number.parseInt(`${high}${low}`, 16));
}

/** Writes all eight groups out, from the form that `URL` gives. */
function expandV6(address: string): string {
  const [head = "", tail] = address.split("::").map((part) => (part === "" ? [] : part.split(":")));
  const before = head === "" ? [] : head;
  const gap = tail === undefined ? [] : Array<string>(8 - before.length - tail.length).fill("0");
  return [...before, ...gap, ...(tail ?? [])].map((group) => group.padStart(4, "0")).join(":");
}
