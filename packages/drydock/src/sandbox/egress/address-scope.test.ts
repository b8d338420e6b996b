import { networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import { isLoopbackAddress, isPublicAddress } from "./address-scope.ts";
import { canonicalAddress } from "./parse-target.ts";

/** First and last address of each range. */
const NOT_PUBLIC: readonly (readonly [range: string, first: string, last: string])[] = [
  ["0.0.0.0/8, this network", "0.0.0.0", "0.255.255.255"],
  ["10.0.0.0/8, private", "10.0.0.0", "10.255.255.255"],
  ["100.64.0.0/10, shared", "100.64.0.0", "100.127.255.255"],
  ["127.0.0.0/8, loopback", "127.0.0.0", "127.255.255.255"],
  ["169.254.0.0/16, link-local", "169.254.0.0", "169.254.255.255"],
  ["172.16.0.0/12, private", "172.16.0.0", "172.31.255.255"],
  ["192.0.0.0/24, protocols", "192.0.0.0", "192.0.0.255"],
  ["192.0.2.0/24, documentation", "192.0.2.0", "192.0.2.255"],
  ["192.31.196.0/24, AS112", "192.31.196.0", "192.31.196.255"],
  ["192.52.193.0/24, AMT", "192.52.193.0", "192.52.193.255"],
  ["192.88.99.0/24, 6to4 relays", "192.88.99.0", "192.88.99.255"],
  ["192.168.0.0/16, private", "192.168.0.0", "192.168.255.255"],
  ["192.175.48.0/24, AS112", "192.175.48.0", "192.175.48.255"],
  ["198.18.0.0/15, benchmarks", "198.18.0.0", "198.19.255.255"],
  ["198.51.100.0/24, documentation", "198.51.100.0", "198.51.100.255"],
  ["203.0.113.0/24, documentation", "203.0.113.0", "203.0.113.255"],
  ["224.0.0.0/4, multicast", "224.0.0.0", "239.255.255.255"],
  ["240.0.0.0/4, reserved and broadcast", "240.0.0.0", "255.255.255.255"],
  ["168.63.129.16, a cloud's metadata", "168.63.129.16", "168.63.129.16"],
  ["::/96, unspecified, loopback, IPv4-compatible", "::", "::ffff:ffff"],
  ["::ffff:0:0/96 of private ranges", "::ffff:10.0.0.0", "::ffff:192.168.255.255"],
  ["::ffff:0:0:0/96, IPv4-translated", "::ffff:0:0:0", "::ffff:0:ffff:ffff"],
  ["64:ff9b::/96 of private ranges", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe"],
  ["64:ff9b:1::/48, local NAT64", "64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"],
  ["100::/64, discarded", "100::", "100::ffff:ffff:ffff:ffff"],
  ["100:0:0:1::/64, dummy", "100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff"],
  ["2001::/23, protocols", "2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001::/32, Teredo", "2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001:2::/48, benchmarks", "2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff"],
  ["2001:3::/32, AMT", "2001:3::", "2001:3:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001:4:112::/48, AS112", "2001:4:112::", "2001:4:112:ffff:ffff:ffff:ffff:ffff"],
  ["2001:10::/28, ORCHID", "2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001:20::/28, ORCHIDv2", "2001:20::", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001:30::/28, drones", "2001:30::", "2001:3f:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001:db8::/32, documentation", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2002::/16, 6to4", "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2620:4f:8000::/48, AS112", "2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff"],
  ["3fff::/20, documentation", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["4000::/2, not given out", "4000::", "7fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["5f00::/16, segment routing", "5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["fc00::/7, unique local", "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["fe80::/10, link-local", "fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["fec0::/10, site-local", "fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["ff00::/8, multicast", "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
];

/** The neighbours of those ranges, and hosts of the Internet in each spelling. */
const PUBLIC = [
  ...["1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0"],
  ...["169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0"],
  ...["198.17.255.255", "198.20.0.0", "223.255.255.255", "8.8.8.8"],
  ...["2000::1", "2001:200::", "2001:db7:ffff::", "2001:db9::", "2003::", "2606:4700::1111", "2a00:1450::1"],
  ...["3ffe:ffff::", "3fff:1000::", "::ffff:8.8.8.8", "64:ff9b::808:808"],
];

function canonical(address: string): string {
  return canonicalAddress(address) ?? expect.fail(`${address} is no address`);
}

describe("addresses that a name may lead to", () => {
  it.each(NOT_PUBLIC)("are none of %s", (_range, first, last) => {
    expect([first, last].filter((address) => isPublicAddress(canonical(address)))).toEqual([]);
  });

  it.each(NOT_PUBLIC.filter(([, first]) => !first.includes(":")))(
    "are none of %s through IPv6",
    (_range, first, last) => {
      const spellings = [first, last].flatMap((address) => [`::ffff:${address}`, `64:ff9b::${address}`]);
      expect(spellings.filter((address) => isPublicAddress(canonical(address)))).toEqual([]);
    },
  );

  it.each(PUBLIC)("may be %s", (address) => {
    expect(isPublicAddress(canonical(address))).toBe(true);
  });

  it("are none of this machine's, in any spelling", () => {
    const own = ["8.8.4.4", "2606:4700::1111"];
    const spellings = ["8.8.4.4", "::ffff:8.8.4.4", "::ffff:808:404", "64:ff9b::8.8.4.4", "2606:4700:0:0:0:0:0:1111"];
    expect(spellings.filter((address) => isPublicAddress(canonical(address), own))).toEqual([]);
    expect(spellings.filter((address) => !isPublicAddress(canonical(address), []))).toEqual([]);
    for (const { address } of Object.values(networkInterfaces()).flatMap((entries) => entries ?? []))
      expect({ address, isPublic: isPublicAddress(canonical(address)) }).toEqual({ address, isPublic: false });
  });

  it("are loopback in each spelling of it", () => {
    const spellings = ["127.0.0.1", "127.255.255.255", "::1", "::ffff:127.0.0.1"];
    expect(spellings.filter((address) => !isLoopbackAddress(canonical(address)))).toEqual([]);
    expect(isLoopbackAddress("::2")).toBe(false);
  });
});
