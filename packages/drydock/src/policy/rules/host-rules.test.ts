import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coversHost, describeHostEntryProblem, matchHost, normalizeHost } from "./host-rules.ts";

const ALLOW = [
  "example.org:443",
  "*.cdn.example.org:443",
  "bücher.example:443",
  "127.0.0.1:8080",
  "[::1]:*",
  "any.port:*",
];

describe("matchHost", () => {
  it.each<[string, number, boolean]>([
    ["example.org", 443, true],
    ["EXAMPLE.ORG", 443, true],
    ["example.org.", 443, true],
    ["example.org..", 443, false],
    ["example.org", 80, false],
    ["www.example.org", 443, false],
    ["notexample.org", 443, false],
    ["example.org.evil.com", 443, false],
    ["a.cdn.example.org", 443, true],
    ["a.b.cdn.example.org", 443, true],
    ["cdn.example.org", 443, false],
    [".cdn.example.org", 443, false],
    ["evilcdn.example.org", 443, false],
    ["*.cdn.example.org", 443, false],
    ["xn--bcher-kva.example", 443, true],
    ["BÜCHER.example", 443, true],
    ["ｅｘａｍｐｌｅ。org", 443, true],
    ["example.org:443", 443, false],
    ["example.org@evil.com", 443, false],
    ["evil.com/example.org", 443, false],
    ["evil.com#example.org", 443, false],
    ["evil.com?.cdn.example.org", 443, false],
    ["evil.com\\.cdn.example.org", 443, false],
    ["evil.com%2f.cdn.example.org", 443, false],
    ["evil.com\0.cdn.example.org", 443, false],
    ["evil.com .cdn.example.org", 443, false],
    ["example.org\n", 443, false],
    ["exam\tple.org", 443, false],
    ["", 443, false],
    [".", 443, false],
    ["127.0.0.1", 8080, true],
    ["127.1", 8080, true],
    ["0x7f.0.0.1", 8080, true],
    ["2130706433", 8080, true],
    ["127.0.0.2", 8080, false],
    ["::1", 1, true],
    ["[::1]", 65535, true],
    ["[0:0:0:0:0:0:0:1]", 22, true],
    ["[::1%lo]", 22, false],
    ["::1%lo", 22, false],
    ["[::ffff:127.0.0.1]", 8080, false],
    ["any.port", 22, true],
    ["any.port", 0, false],
    ["any.port", 65536, false],
    ["any.port", 22.5, false],
    ["any.port", Number.NaN, false],
  ])("%j port %d is %s", (host, port, allowed) => {
    expect(matchHost(ALLOW, host, port)).toBe(allowed);
  });

  it("admits nothing with an empty list", () => {
    expect(matchHost([], "localhost", 80)).toBe(false);
  });

  it("never takes an address for a name below a wildcard", () => {
    expect(matchHost(["*.0.0.1:80"], "127.0.0.1", 80)).toBe(false);
    expect(matchHost(["*.1:80"], "127.0.0.1", 80)).toBe(false);
  });

  it("admits every host only where the list says so", () => {
    expect(matchHost(["*:443"], "10.0.0.1", 443)).toBe(true);
    expect(matchHost(["*:443"], "x.org", 80)).toBe(false);
    expect(matchHost(["*:443"], "x.org/y", 443)).toBe(false);
  });
});

describe("entries", () => {
  it.each([
    "example.org",
    ":443",
    "example.org:",
    "example.org:0",
    "example.org:65536",
    "example.org:+1",
    "::1",
    "::1:443",
  ])("%j is no entry", (entry) => {
    expect(describeHostEntryProblem(entry)).toMatch(/host|port/);
  });
  it.each([
    "http://example.org:443",
    "a*.example.org:443",
    "*.*.org:443",
    "**:1",
    "user@h:1",
    "*.127.0.0.1:80",
    "h h:1",
  ])("%j is no entry", (entry) => {
    expect(describeHostEntryProblem(entry)).not.toBeNull();
  });
  it.each([...ALLOW, "*:*", "localhost:5432", "a_b.example:1"])("%j is one", (entry) => {
    expect(describeHostEntryProblem(entry)).toBeNull();
  });
});

describe("coversHost", () => {
  it.each([
    ["*.example.org:443", "a.example.org:443", true],
    ["*.example.org:443", "example.org:443", false],
    ["*.example.org:443", "*.b.example.org:443", true],
    ["*.b.example.org:443", "*.example.org:443", false],
    ["a.example.org:443", "*.example.org:443", false],
    ["a.org:*", "a.org:1", true],
    ["a.org:1", "a.org:*", false],
    ["*:443", "*.org:443", true],
    ["*.org:443", "*:443", false],
    ["A.org:443", "a.ORG.:443", true],
  ])("%s over %s is %s", (ceiling, asked, covered) => {
    expect(coversHost(ceiling, asked)).toBe(covered);
  });

  it("never covers an entry that admits what the ceiling refuses", () => {
    const host = fc.constantFrom("a.org", "*.org", "b.a.org", "*.a.org", "*", "127.0.0.1", "org");
    const port = fc.constantFrom("80", "443", "*");
    const entry = fc.tuple(host, port).map((parts) => parts.join(":"));
    const target = fc.constantFrom("a.org", "b.a.org", "c.b.a.org", "org", "127.0.0.1", "::1", "x.net");
    fc.assert(
      fc.property(entry, entry, target, fc.constantFrom(80, 443, 22), (ceiling, asked, name, number) => {
        return !(coversHost(ceiling, asked) && matchHost([asked], name, number)) || matchHost([ceiling], name, number);
      }),
      { numRuns: 2000 },
    );
  });
});

it("brings any text into a form that stays as it is, or refuses it", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.domain(), fc.ipV4(), fc.ipV6()), (text) => {
      const host = normalizeHost(text);
      return host === null || normalizeHost(host) === host;
    }),
    { numRuns: 500 },
  );
});
