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

/** This machine, as addresses that were parsed spell it. */
const LOOPBACK = /^((.*\.)?localhost\.*|127(\.\d+){3}|\[::(1|ffff:7f[\da-f]{2}:[\da-f]{1,4})\])$/;
const METADATA_NAMES: ReadonlySet<string> = new Set(["metadata.google.internal", "metadata.goog", "instance-data"]);
const LOCAL_NAME = /(^[^.]*|\.(internal|local|localdomain|lan|home\.arpa|intranet|corp|home))$/;

/** Tells where a host of a parsed address leads, so far as the text itself tells. The ranges of addresses are loaded with the first. */
export async function classifyHost(hostname: string): Promise<AddressClass> {
  if (isLoopback(hostname)) return "loopback";
  if (isName(hostname)) return classifyName(hostname);
  const { classifyAddress } = await import("./address-ranges.js");
  return classifyAddress(hostname.replace(/^\[|\]$/g, ""));
}

/** Tells where a name leads. */
export function classifyName(hostname: string): AddressClass {
  const host = hostname.replace(/\.+$/, "").toLowerCase();
  if (isLoopback(host)) return "loopback";
  if (METADATA_NAMES.has(host) || host.startsWith("instance-data.")) return "metadata";
  return LOCAL_NAME.test(host) ? "local-name" : "public";
}

/** Tells whether the host of a parsed address is this machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/** Tells whether a host is a name, rather than an address written out. */
export function isName(hostname: string): boolean {
  return !hostname.startsWith("[") && !/^[\d.]+$/.test(hostname);
}

/** Reads an address that a request is to go to. Rejects with `address_refused` naming what named it, and why not. */
export async function checkAddress(text: unknown, named: string, rules: AddressRules): Promise<URL> {
  const url = parseAddress(text, named);
  const kind = await classifyHost(url.hostname);
  const near = rules.hosted === true ? [] : await Promise.all(rules.near.map(({ hostname }) => classifyHost(hostname)));
  const isOpen = url.protocol === "https:" || (kind === "loopback" && near.includes("loopback"));
  if (!isOpen) throw refuse(named, `has to be https, and is http to a ${kind} one`);
  if (!mayVisit(kind, near, rules.hosted === true)) throw refuse(named, `is a ${kind} one`);
  return url;
}

/** Reads an address that a browser is to show. Throws `address_refused` unless it is https, or http on this machine. */
export function checkLoginUrl(text: unknown, named: string): URL {
  const url = parseAddress(text, named);
  if (url.protocol !== "https:" && !isLoopback(url.hostname))
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
