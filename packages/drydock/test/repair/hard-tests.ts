import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import { repair } from "./search.ts";

const SOURCE = "def area(width, height):\n    return width + height\n";

/** What makes tests hard to run, and such tests. The last ones take long: a run of them only ends by its limit. */
export const HARD_TESTS: [string, string][] = [
  [
    "write files",
    "import os\nfrom area import area\ndef test_area():\n    assert not os.path.exists('out')\n    open('out', 'w').write('x')\n    assert area(2, 5) == 10\ndef test_line():\n    assert area(3, 1) == 3\n",
  ],
  [
    "depend on their order",
    "from area import area\nseen = []\ndef test_first():\n    seen.append(1)\n    assert area(2, 5) == 10\ndef test_second():\n    assert area(3, 1) == 3\n",
  ],
  [
    "never end as it is",
    "from area import area\ndef test_area():\n    while area(2, 5) != 10: pass\ndef test_line():\n    assert area(3, 1) == 3\n",
  ],
];

/** Finds the one right change all the same. */
export function repairDespite(rows: [string, string][]): void {
  describe("tests that are hard to run", () => {
    const test = openTestDock();
    it.each(rows)(
      "are no obstacle where they %s",
      async (_, tests) => {
        const outcome = await repair(test.dock, { "area.py": SOURCE, "test_area.py": tests }, "pytest -q", {
          limits: { seconds: 150, candidates: 250 },
        });
        expect(outcome.found[0]?.writes[0]?.content).toContain("return width * height");
      },
      300_000,
    );
  });
}
