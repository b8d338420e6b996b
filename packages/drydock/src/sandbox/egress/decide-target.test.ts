import { networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import { decideTarget, type TargetDecision } from "./decide-target.ts";
import { createOwnServers, type IsOwnServer } from "./own-servers.ts";
import { matchEntries } from "./testing/proxy-fixture.ts";

const PUBLIC = "93.184.215.14";

function decide(allow: string[], authority: string, addresses: string[] = [PUBLIC]): Promise<TargetDecision> {
  return decideTarget({ allow, match: matchEntries(allow) }, authority, undefined, async () => addresses);
}

describe("hosts that are admitted", () => {
  it.each([
    ["an exact name", ["example.org:443"], "example.org:443"],
    ["a name in other letter case", ["example.org:443"], "EXAMPLE.org:443"],
    ["a name under a wildcard", ["*.example.org:443"], "a.example.org:443"],
    ["an international name by its ASCII form", ["xn--bcher-kva.example:443"], latin1("bücher.example:443")],
  ])("%s", async (_name, allow, authority) => {
    expect(await decide(allow, authority)).toMatchObject({ kind: "admitted", addresses: [PUBLIC] });
  });

  it.each([
    ["127.0.0.1:80", "127.0.0.1:80", "127.0.0.1"],
    ["[::1]:80", "[0:0:0:0:0:0:0:1]:80", "::1"],
    ["10.1.2.3:80", "10.1.2.3:80", "10.1.2.3"],
    ["0x7f.1:80", "0x7f.1:80", "127.0.0.1"],
  ])("the private address that the policy names literally: %s", async (entry, authority, address) => {
    expect(await decide([entry], authority)).toMatchObject({ kind: "admitted", addresses: [address] });
  });

  it("localhost where the policy names localhost", async () => {
    const decision = await decide(["localhost:80"], "localhost:80", ["::1", "127.0.0.1"]);
    expect(decision).toMatchObject({ kind: "admitted", addresses: ["::1", "127.0.0.1"] });
  });

  it("a name whose private address the policy names beside it", async () => {
    const decision = await decide(["db.corp:5432", "10.0.0.9:5432"], "db.corp:5432", ["10.0.0.9"]);
    expect(decision.kind).toBe("admitted");
  });
});

describe("the server of Drydock's own database", () => {
  const own = createOwnServers([{ host: "db.corp", port: 5432 }], async () => ["10.0.0.9"]);
  const here = createOwnServers([{ host: "127.0.0.1", port: 5432 }], async (host) => [host]);
  const ask = (isOwnServer: IsOwnServer, authority: string, address: string) => {
    const allow = [`${authority}`, `${address}:5432`, "0.0.0.0:5432"];
    const rule = { allow, match: () => true, isOwnServer };
    return decideTarget(rule, authority, undefined, async () => [address]);
  };

  it.each(["10.0.0.9:5432", "db.corp:5432", "other-name.org:5432"])("is refused as %s", async (authority) => {
    expect(await ask(own, authority, "10.0.0.9")).toMatchObject({
      ...{ kind: "refused", remedy: null },
      reason: expect.stringContaining("Drydock's own database"),
    });
  });

  it("is refused by every address of this machine", async () => {
    const outside = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
    for (const { address } of [...outside, { address: "127.0.0.2" }, { address: "0.0.0.0" }]) {
      if (address.includes(":")) continue;
      expect(await ask(here, `${address}:5432`, address)).toMatchObject({ kind: "refused", remedy: null });
    }
  });

  it("is refused where its name can't be resolved, and other ports and hosts are not", async () => {
    const unknown = createOwnServers([{ host: "db.corp", port: 5432 }], async () => Promise.reject(new Error("no")));
    expect(await ask(unknown, "10.0.0.9:5432", "10.0.0.9")).toMatchObject({ kind: "refused" });
    expect(await ask(own, "10.0.0.8:5432", "10.0.0.8")).toMatchObject({ kind: "admitted" });
    expect(
      await decideTarget(
        { allow: ["10.0.0.9:80"], match: () => true, isOwnServer: own },
        "10.0.0.9:80",
        undefined,
        async () => [],
      ),
    ).toMatchObject({ kind: "admitted" });
  });
});

describe("hosts that could be read in two ways", () => {
  const everything = ["*"];
  it.each([
    "user@example.org:80",
    "allowed.org@evil.org:80",
    "example.org%00.evil.org:80",
    "ex%61mple.org:80",
    "[fe80::1%eth0]:80",
    "[fe80::1%25eth0]:80",
    "[::1:80",
    "[::1]x:80",
    "::1:80",
    "example.org.:80",
    "a..b:80",
    "-a.org:80",
    "a\\b.org:80",
    "a/b:80",
    "a b.org:80",
    "a\tb.org:80",
    "0x7f.1:80",
    "0x7f000001:80",
    "2130706433:80",
    "0177.0.0.1:80",
    "127.1:80",
    "127.0.0.01:80",
    "1.2.3.4.5:80",
    latin1("１２７.0.0.1:80"),
    latin1("ⓔxample.org:80"),
    "\xff\xfe.org:80",
  ])("%s is refused and never resolved", async (authority) => {
    const rule = { allow: everything, match: () => true };
    const decision = await decideTarget(rule, authority, 80, async () => {
      throw new Error("resolved");
    });
    expect(decision).toMatchObject({ kind: "refused", remedy: null });
  });

  it.each(["example.org", "example.org:", "example.org:0", "example.org:65536", "example.org:+80", ":80", ""])(
    "%j names no host and port",
    async (authority) => expect((await decide(everything, authority)).kind).toBe("malformed"),
  );
});

describe("names that lead inside (DNS rebinding)", () => {
  it.each([
    "127.0.0.1",
    "127.9.9.9",
    "0.0.0.0",
    "10.0.0.5",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "169.254.169.254",
    "168.63.129.16",
    "255.255.255.255",
    "224.0.0.1",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:a9fe:a9fe",
    "64:ff9b::7f00:1",
    "64:ff9b::a00:5",
    "2002:7f00:1::",
    "fd00:ec2::254",
    "fe80::1",
    "ff02::1",
  ])("a name that resolves to %s is refused", async (address) => {
    expect(await decide(["example.org:80"], "example.org:80", [address])).toMatchObject({ kind: "refused" });
  });

  it("one private address among public ones is enough", async () => {
    const decision = await decide(["example.org:80"], "example.org:80", [PUBLIC, "10.0.0.5"]);
    expect(decision).toMatchObject({ kind: "refused", remedy: "10.0.0.5:80" });
  });

  it("a NAT64 address of a public host is no private address", async () => {
    expect((await decide(["example.org:80"], "example.org:80", ["64:ff9b::5db8:d70e"])).kind).toBe("admitted");
  });

  it("an address that can't be classified is not connected to", async () => {
    expect((await decide(["example.org:80"], "example.org:80", ["fe80::1%eth0"])).kind).toBe("unresolved");
  });

  it("this machine's own addresses are not reached by a name", async () => {
    for (const { address } of Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])) {
      if (!address.includes("%")) {
        expect((await decide(["example.org:80"], "example.org:80", [address])).kind).toBe("refused");
      }
    }
  });

  it("a wildcard does not open a private address, neither by name nor literally", async () => {
    expect((await decide(["*:80"], "169.254.169.254:80")).kind).toBe("refused");
    expect((await decide(["*:80"], "[::1]:80")).kind).toBe("refused");
    expect((await decide(["*:80"], "localhost:80", ["127.0.0.1"])).kind).toBe("refused");
  });

  it("naming a private address on one port opens no other port", async () => {
    expect((await decide(["*:81", "10.0.0.5:80"], "10.0.0.5:81")).kind).toBe("refused");
  });

  it("localhost that resolves elsewhere is not localhost", async () => {
    expect((await decide(["localhost:80"], "localhost:80", ["10.0.0.5"])).kind).toBe("refused");
  });
});

it("a name that the policy does not cover is never resolved: the query would carry data out", async () => {
  const requests: string[] = [];
  const rule = { allow: ["example.org:443"], match: matchEntries(["example.org:443"]) };
  const decision = await decideTarget(rule, "c2VjcmV0.evil.org:443", undefined, async (host) => {
    requests.push(host);
    return [PUBLIC];
  });
  expect(decision).toMatchObject({ kind: "refused", host: "c2VjcmV0.evil.org".toLowerCase(), port: 443 });
  expect(requests).toEqual([]);
});

function latin1(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
