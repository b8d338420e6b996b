import { describe, expect, it } from "vitest";
import { parseDiff } from "./parse-diff.ts";

const DIFF = `diff --git a/calc.py b/calc.py
index 1..2 100644
--- a/calc.py
+++ b/calc.py
@@ -1,4 +1,5 @@ def add(a, b):
 one
-two
-three
+2
 four
+five
+@@ -1 +1 @@
`;

describe("a diff", () => {
  it("stands side by side, with the numbers of both sides", () => {
    const [file] = parseDiff(DIFF);
    expect(file).toMatchObject({ path: "calc.py", kind: "changed", added: 3, removed: 2 });
    const rows = file?.hunks[0]?.rows.map(({ left, right }) => [left?.text, left?.before, right?.text, right?.after]);
    expect(rows).toEqual([
      ["one", 1, "one", 1],
      ["two", 2, "2", 2],
      ["three", 3, undefined, undefined],
      ["four", 4, "four", 3],
      [undefined, undefined, "five", 4],
      [undefined, undefined, "@@ -1 +1 @@", 5],
    ]);
  });

  it("is not led astray by lines that look like headers", () => {
    const text =
      "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- a/y\n-diff --git a/z b/z\n+++ b/y\n+diff --git a/z b/z\n";
    expect(parseDiff(text)).toMatchObject([{ path: "x", added: 2, removed: 2 }]);
  });

  it.each([
    [
      "a new file",
      "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n",
      "n",
      "added",
    ],
    [
      "a deleted one",
      "diff --git a/n b/n\ndeleted file mode 100644\n--- a/n\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
      "n",
      "deleted",
    ],
    ["a renamed one", "diff --git a/o b/n\nrename from o\nrename to n\n", "n", "changed"],
    [
      "a name with a blank",
      "diff --git a/a b.txt b/a b.txt\nnew file mode 100644\nBinary files differ\n",
      "a b.txt",
      "added",
    ],
    ["a quoted name", 'diff --git "a/\\346\\227\\245.py" "b/\\346\\227\\245.py"\n', "日.py", "changed"],
  ])("knows %s", (_, text, path, kind) => {
    expect(parseDiff(text)).toMatchObject([{ path, kind }]);
  });
});
