import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { comparePaths, decodePath, encodePath } from "./path-bytes.ts";

const names = fc.oneof(
  fc.uint8Array({ maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 6 }).map((text) => new TextEncoder().encode(text)),
  // Bytes near the edges of UTF-8's rules: overlong forms, encoded surrogates, beyond the last code point, cut off.
  fc.array(fc.constantFrom(0x41, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5)),
);

test("every sequence of bytes survives as a string, so two names never become one", () => {
  fc.assert(
    fc.property(names, (bytes) => {
      expect(encodePath(decodePath(Buffer.from(bytes)))).toEqual(Buffer.from(bytes));
    }),
    { numRuns: 2000 },
  );
});

test("paths sort by their bytes", () => {
  fc.assert(
    fc.property(names, names, (left, right) => {
      const [a, b] = [Buffer.from(left), Buffer.from(right)];
      expect(Math.sign(comparePaths(decodePath(a), decodePath(b)))).toBe(Buffer.compare(a, b));
    }),
    { numRuns: 2000 },
  );
});

test("a path is the string that Python makes of it", () => {
  const samples = ["61c3a9", "ff62", "eda080", "e282", "f0808041", "f09f9880", "c080", "ed9fbf", "f4908080", "e28241"];
  const script =
    "import json,os,sys; print(json.dumps([os.fsdecode(bytes.fromhex(h)) for h in json.loads(sys.argv[1])]))";
  const output = execFileSync("python3", ["-X", "utf8", "-c", script, JSON.stringify(samples)], { encoding: "utf8" });
  expect(samples.map((hex) => decodePath(Buffer.from(hex, "hex")))).toEqual(JSON.parse(output));
});
