import { MortiseError } from "@mortise/core";

/**
 * Where an address leads: to the internet, to this machine, into a private network, to neighbours on the same link, to a cloud's
 * service that hands out credentials, or to nowhere that is meant to be asked. `local-name` is a name that only a private network
 * knows.
 */
export type AddressClass = "public" | "loopback" | "private" | "link-local" | "metadata" | "reserved" | "local-name";

/** Where requests may go. */
export interface AddressRules {
  /** Addresses whose own neighbourhood may be visited too. */
  readonly near: readonly URL[];
  /** Whether only public addresses over https may be visited, whatever is near. */
  readonly hosted?: boolean | undefined;
}

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

const METADATA_NAMES: ReadonlySet<string> = new Set(["metadata.google.internal", "metadata.goog", "instance-data"]);
const LOCAL_NAME = /(^[^.]*|\.(internal|local|localdomain|lan|home\.arpa|intranet|corp|home))$/;

/** Tells where a host of a parsed address leads, so far as the text itself tells. */
export function classifyHost(hostname: string): AddressClass {
  const host = hostname.replace(/\.+$/, "").toLowerCase();
  if (!isName(host)) return classifyAddress(host.replace(/^\[|\]$/g, ""));
  if (host === "localhost" || host.endsWith(".localhost")) return "loopback";
  if (METADATA_NAMES.has(host) || host.startsWith("instance-data.")) return "metadata";
  return LOCAL_NAME.test(host) ? "local-name" : "public";
}

/** Tells where an IP address leads, in whatever spelling. What is no address is `reserved`. */
export function classifyAddress(address: string): AddressClass {
  const [bare = ""] = address.split("%"); // a zone may follow
  const text = bare.includes(":") ? `http://[${bare}]` : `http://${bare}`;
  const host = URL.canParse(text) ? new URL(text).hostname : "";
  if (host.startsWith("[")) return classifyV6(expandV6(host.slice(1, -1)));
  return /^\d+\.\d+\.\d+\.\d+$/.test(host) ? classifyV4(toNumber(host)) : "reserved";
}

/** Tells whether a host is a name, rather than an address written out. */
export function isName(hostname: string): boolean {
  return !hostname.startsWith("[") && !/^[\d.]+$/.test(hostname);
}

/** Reads an address that a request is to go to. Throws `address_refused` naming what named it, and why not. */
export function checkAddress(text: unknown, named: string, rules: AddressRules): URL {
  const url = parseAddress(text, named);
  const kind = classifyHost(url.hostname);
  const near = rules.hosted === true ? [] : rules.near.map(({ hostname }) => classifyHost(hostname));
  const isOpen = url.protocol === "https:" || (kind === "loopback" && near.includes("loopback"));
  if (!isOpen) throw refuse(named, `has to be https, and is http to a ${kind} one`);
  if (!mayVisit(kind, near, rules.hosted === true)) throw refuse(named, `is a ${kind} one`);
  return url;
}

/** Reads an address that a browser is to show. Throws `address_refused` unless it is https, or http on this machine. */
export function checkLoginUrl(text: unknown, named: string): URL {
  const url = parseAddress(text, named);
  if (url.protocol !== "https:" && classifyHost(url.hostname) !== "loopback")
    throw refuse(named, "has to be https, and is http to another machine");
  return url;
}

/** Whoever is on this machine or in a private network is trusted with what is there. Nobody is, with a cloud's credentials. */
function mayVisit(kind: AddressClass, near: readonly AddressClass[], isHosted: boolean): boolean {
  if (kind === "public") return true;
  if (kind === "local-name") return !isHosted; // what it leads to is not known here
  if (kind === "metadata" || kind === "reserved") return false;
  return near.includes(kind) || (kind === "private" && (near.includes("loopback") || near.includes("local-name")));
}

function parseAddress(text: unknown, named: string): URL {
  if (typeof text !== "string" || !URL.canParse(text)) throw refuse(named, "is no complete address");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw refuse(named, `has to be https, and has the scheme "${url.protocol.slice(0, -1).slice(0, 40)}"`);
  if (url.username !== "" || url.password !== "") throw refuse(named, "has a user or password in it");
  url.hash = "";
  return url;
}

function refuse(named: string, reason: string): MortiseError {
  return new MortiseError("address_refused", `Refused ${named}: the address ${reason}`);
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
