import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { createStreamRedactor, createTextRedactor, spellKey } from "./redact-key.ts";

const KEY = 'sk-ab"c/d+e=';
const spellings = spellKey(KEY, `Basic ${Buffer.from(`user:${KEY}`).toString("base64")}`);

it("finds the key in each of its spellings", () => {
  const said = [KEY, encodeURIComponent(KEY), JSON.stringify(KEY), Buffer.from(`user:${KEY}`).toString("base64")];
  expect(createTextRedactor(spellings)(said.join(" "))).toBe('[key] [key] "[key]" [key]');
  const others = [encodeURIComponent(KEY).toLowerCase(), JSON.stringify(KEY).replaceAll("/", "\\/")];
  expect(createTextRedactor(spellings)(others.join(" "))).toBe('[key] "[key]"');
});

it.each([1, 2, 3, 5, 7, 100])("takes it out of a stream that comes in chunks of %i bytes", async (size) => {
  const whole = Buffer.from(`sk-a sk-ab ${KEY}${KEY} é sk-ab"c/ ${KEY}`);
  const chunks = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
    whole.subarray(at * size, (at + 1) * size),
  );
  const passed = Readable.from(chunks).pipe(createStreamRedactor(spellings));
  expect(await text(passed)).toBe('sk-a sk-ab [key][key] é sk-ab"c/ [key]');
});

it("holds back nothing that can't be a key", async () => {
  const stream = createStreamRedactor(spellings);
  stream.write("data: one\n\n");
  expect(String(stream.read())).toBe("data: one\n\n");
});
