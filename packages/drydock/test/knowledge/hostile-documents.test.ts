import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import { makePdf, toStream, writeObjects } from "./testing/make-pdf.ts";

const t = openTestDock({ warm: 0, policy: "version: 1\nlimits: { memoryMb: 300 }\n" });

/** A page whose content has 1 GB once it is unpacked, in about 1 MB: twice packed, as PDF allows. */
function makeBomb(): Buffer {
  const packed = deflateSync(deflateSync(Buffer.alloc(256 * 1024 * 1024, " "), { level: 9 }), { level: 9 });
  const page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents [4 0 R 4 0 R 4 0 R 4 0 R] >>";
  return writeObjects([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    page,
    toStream(packed, "/Filter [/FlateDecode /FlateDecode]"),
  ]);
}

it("a PDF that unpacks to a gigabyte costs itself: the host and the other documents are unharmed", async () => {
  const folder = t.makeWorkspace({ "a.html": "<p>before the storm</p>", "z.html": "<p>after the storm</p>" });
  writeFileSync(join(folder, "bomb.pdf"), makeBomb());
  writeFileSync(join(folder, "c.pdf"), makePdf(["between"]));
  const before = process.memoryUsage().rss;
  const report = await t.dock.knowledge.add("bomb", [folder]);
  expect(report.added).toBe(3);
  expect(report.failures).toMatchObject([
    { source: expect.stringContaining("bomb.pdf"), error: { hint: expect.any(String) } },
  ]);
  expect((await t.dock.knowledge.search("bomb", "storm between")).hits).toHaveLength(3);
  expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
  // Each process that read documents is on record, without their text.
  const { runs } = await t.dock.runs.list();
  expect(runs.length).toBeGreaterThanOrEqual(2);
  for (const { id } of runs) expect(JSON.stringify(await t.dock.runs.events(id))).not.toContain("the storm");
});

it("HTML with endless nesting, entities and attributes is read or refused", async () => {
  const folder = t.makeWorkspace({
    "deep.html": `${"<div>".repeat(100_000)}abyss`,
    "entities.html": `<!DOCTYPE x [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><p>reef ${"&c;".repeat(10_000)}</p>`,
    "attributes.html": `<p ${Array.from({ length: 20_000 }, (_, index) => `a${index}="x"`).join(" ")}>shoal</p>`,
    "spaces.html": `<pre>${" ".repeat(2_000_000)}lagoon</pre>`,
    "charset.html": Buffer.concat([Buffer.from('<meta charset="gbk"><p>'), Buffer.from([0xb8, 0xdb, 0xbf, 0xda])]),
    "wrong.html": Buffer.concat([Buffer.from('<meta charset="utf-8"><p>'), Buffer.from([0xff, 0xfe, 0xfd])]),
  });
  const report = await t.dock.knowledge.add("html", [folder]);
  expect(report.failures.map(({ source }) => source)).toEqual([expect.stringContaining("wrong.html")]);
  for (const word of ["abyss", "reef", "shoal", "lagoon", "港口"])
    expect([word, (await t.dock.knowledge.search("html", word)).hits.length > 0]).toEqual([word, true]);
});
