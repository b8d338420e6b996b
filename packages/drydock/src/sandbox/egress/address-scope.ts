import { BlockList, isIPv4 } from "node:net";
import { networkInterfaces } from "node:os";

type Range = readonly [network: string, prefix: number];

/** The special-purpose registry of IANA, multicast, and one address of a cloud. */
const NOT_PUBLIC_IPV4: readonly Range[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  // A cloud's metadata and agent service on an address that looks public.
  ["168.63.129.16", 32],
];

/** Only this part of IPv6 is assigned to hosts of the Internet. */
const GLOBAL_IPV6: Range = ["2000::", 3];

/** What the special-purpose registry takes out of it: tunnels (Teredo, 6to4), benchmarks, documentation, anycast services. */
const NOT_PUBLIC_IPV6: readonly Range[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
];

/** Ranges whose last 32 bits are an IPv4 address, which is the one that is reached: mapped ones and NAT64. */
const EMBEDDING: readonly Range[] = [
  ["::ffff:0:0", 96],
  ["64:ff9b::", 96],
];

const notPublic = { ipv4: listOf(NOT_PUBLIC_IPV4), ipv6: listOf(NOT_PUBLIC_IPV6) };
const global = listOf([GLOBAL_IPV6]);
const embedding = EMBEDDING.map((range) => listOf([range]));
const loopback = {
  ipv4: listOf([["127.0.0.0", 8]]),
  ipv6: listOf([["::1", 128]]),
};

/**
 * May a name lead here without the owner having named the address itself? Takes canonical addresses. Not public are this
 * machine under each of its addresses, its neighbours, its cloud's metadata, and all that is no host of the Internet.
 */
export function isPublicAddress(address: string, own: readonly string[] = listOwnAddresses()): boolean {
  const reached = embeddedIpv4(address) ?? address;
  if (isOneOf(own, reached)) return false;
  if (isIPv4(reached)) return !notPublic.ipv4.check(reached, "ipv4");
  return global.check(reached, "ipv6") && !notPublic.ipv6.check(reached, "ipv6");
}

export function isLoopbackAddress(address: string): boolean {
  const reached = embeddedIpv4(address) ?? address;
  return isIPv4(reached) ? loopback.ipv4.check(reached, "ipv4") : loopback.ipv6.check(reached, "ipv6");
}

/** A service that listens on this machine's public address trusts this machine as much as one on loopback does. */
function listOwnAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((entries) => entries?.map(({ address }) => address) ?? []);
}

function isOneOf(addresses: readonly string[], address: string): boolean {
  const list = new BlockList();
  for (const text of addresses) list.addAddress(text, isIPv4(text) ? "ipv4" : "ipv6");
  return list.check(address, isIPv4(address) ? "ipv4" : "ipv6");
}

/** Null where the address stands for itself. */
function embeddedIpv4(address: string): string | null {
  if (isIPv4(address) || !embedding.some((list) => list.check(address, "ipv6"))) return null;
  const dotted = /\d+\.\d+\.\d+\.\d+$/.exec(address);
  if (dotted) return dotted[0];
  const [high = 0, low = 0] = address
    .split(":")
    .slice(-2)
    .map((group) => (group === "" ? 0 : Number.parseInt(group, 16)));
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

function listOf(ranges: readonly Range[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, isIPv4(network) ? "ipv4" : "ipv6");
  return list;
}
