import { expect, test } from "vitest";
import { applySplices } from "../source/splice.ts";
import { commuteEdits, joinEdits, keyOfEdits } from "./commute-edits.ts";
import type { SourceEdit } from "./workshop.ts";

const TEXT = "first = a - b\nsecond = c - d\nthird = e\n";

/** An edit of the text as the edits before it left it. */
function edit(text: string, what: string, replacement: string, path = "a.py"): SourceEdit {
  const start = text.indexOf(what);
  return { path, start, end: start + what.length, replacement };
}
const apply = (edits: readonly SourceEdit[]) => edits.reduce((text, each) => applySplices(text, [each]), TEXT);

test("edits in another order are the same change", () => {
  const one = edit(TEXT, "a - b", "(a + b + 1)");
  const oneFirst = [one, edit(apply([one]), "c - d", "c")];
  const other = edit(TEXT, "c - d", "c");
  const otherFirst = [other, edit(apply([other]), "a - b", "(a + b + 1)")];
  expect(apply(oneFirst)).toBe(apply(otherFirst));
  expect(keyOfEdits(oneFirst)).toBe(keyOfEdits(otherFirst));
  expect(commuteEdits(oneFirst)).toEqual([one, other]);
  expect(keyOfEdits([one])).not.toBe(keyOfEdits([{ ...one, path: "b.py" }]));
});

test("edits that touch keep their order", () => {
  const one = edit(TEXT, "a - b", "a + b");
  const inside = [one, edit(apply([one]), "a + b", "a * b")];
  expect(commuteEdits(inside)).toBeNull();
  expect(keyOfEdits(inside)).not.toBe(keyOfEdits([one]));
  expect(joinEdits([one], [edit(TEXT, "- b", "+ b")])).toBeNull();
});

test("two changes of one text are joined so that none moves the other", () => {
  const changes = [edit(TEXT, "a - b", "a + b + 1"), edit(TEXT, "third", "fourth"), edit(TEXT, "c - d", "ccc - d")];
  const [one, two, three] = changes as [SourceEdit, SourceEdit, SourceEdit];
  const joined = joinEdits([one], [two]) ?? [];
  expect(apply(joined)).toBe("first = a + b + 1\nsecond = c - d\nfourth = e\n");
  expect(apply(joinEdits(joined, [three]) ?? [])).toBe("first = a + b + 1\nsecond = ccc - d\nfourth = e\n");
});
