import fc from "fast-check";
import { expect, it } from "vitest";
import { divideSections } from "./divide-sections.ts";
import { readMarkdown } from "./read-markdown.ts";
import { readTable } from "./read-table.ts";

it("passages are parts of the text at their positions, in order, and leave out nothing but white space", () => {
  const word = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.constantFrom("\n", "\n\n", ". ", "# x\n", "港口。", "🚢"),
  );
  const texts = fc.array(word, { maxLength: 400 }).map((words) => words.join(""));
  fc.assert(
    fc.property(texts, (text) => {
      const chunks = divideSections([{ text, start: 0, line: 1 }]);
      let end = 0;
      for (const { text: passage, position } of chunks) {
        expect(text.slice(position.start, position.end)).toBe(passage);
        expect(text.slice(end, position.start).trim()).toBe("");
        expect(position.line).toBe(text.slice(0, position.start).split("\n").length);
        expect(passage.length).toBeLessThanOrEqual(1200);
        expect(passage.isWellFormed() || !text.isWellFormed()).toBe(true);
        end = position.end;
      }
      expect(text.slice(end).trim()).toBe("");
    }),
    { numRuns: 100 },
  );
});

it("headings in fenced blocks are none, and levels may be left out", () => {
  const text = "intro\n# A\n~~~\n# no\n```\n~~~\n### C ##\nc\n# B\nb\n";
  expect(readMarkdown(text).map(({ heading, line }) => [heading, line])).toEqual([
    [undefined, 1],
    ["A", 2],
    ["A > C", 7],
    ["B", 9],
  ]);
});

it("tables: separators, quotes with line breaks, missing names, rows without values", () => {
  const [section, ...more] = readTable('id;"long\nname";\n1;"a ""b""\nc";x\n;;\n2;d;y\n');
  expect(more).toEqual([]);
  expect(section).toMatchObject({ rows: [1, 3] });
  expect(section?.text).toBe('id: 1; long name: a "b" c; column 3: x\nid: 2; long name: d; column 3: y');
  expect(readTable("only,a,header\n")[0]?.text).toBe("only; a; header");
});
