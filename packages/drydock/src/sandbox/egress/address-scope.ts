import { BlockList, isIPv4 } from "node:net";
import { networkInterfaces } from "node:os";

/** Ranges that lead to this machine, its neighbours or its cloud's metadata, and ranges that are no host at all. */
const NOT_PUBLIC: ReadonlyArray<readonly [network: string, prefix: number]> = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  // A cloud's metadata and agent service on an address that looks public.
  ["168.63.129.16", 32],
  ["::", 96],
  ["64:ff9b:1::", 48],
  ["2001::", 32],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
];

const notPublic = new BlockList();
for (const [network, prefix] of NOT_PUBLIC) notPublic.addSubnet(network, prefix, isIPv4(network) ? "ipv4" : "ipv6");

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

const nat64 = new BlockList();
nat64.addSubnet("64:ff9b::", 96, "ipv6");

/** May a name lead here without the owner having named the address itself? Takes canonical addresses. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic.check(address, "ipv4") && !isOwnAddress(address);
  // A NAT64 address stands for the IPv4 address in its last 32 bits; IPv4-mapped ones the block list reads by itself.
  if (nat64.check(address, "ipv6")) return isPublicAddress(embeddedIpv4(address));
  return !notPublic.check(address, "ipv6") && !isOwnAddress(address);
}

export function isLoopbackAddress(address: string): boolean {
  return loopback.check(address, isIPv4(address) ? "ipv4" : "ipv6");
}

/** A service that listens on this machine's public address trusts this machine as much as one on loopback does. */
function isOwnAddress(address: string): boolean {
  return Object.values(networkInterfaces()).some((entries) => entries?.some((entry) => entry.address === address));
}

/** Canonical IPv6 text never ends in dotted form, so that the last two groups hold the four bytes. */
function embeddedIpv4(address: string): string {
  const [high = 0, low = 0] = address
    .split(":")
    .slice(-2)
    .map((group) => (group === "" ? 0 : Number.parseInt(group, 16)));
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
