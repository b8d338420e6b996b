import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import { PYTHON, SCRIPT, tryHarm } from "./hostile-candidates.ts";
import { repair } from "./search.ts";

/** Each takes a whole search: the others are tried by `npm run soak`. */
const WORST = /kills everything|without end|as if all were well|makes every test pass|kills the process/;
const worst = (rows: [string, string][]) => rows.filter(([name]) => WORST.test(name)).slice(-4);

describe("a candidate that does harm costs one candidate: one that", () => tryHarm(worst(PYTHON), worst(SCRIPT)));

describe("tests that are hard to run", () => {
  const test = openTestDock();
  const source = "def area(width, height):\n    return width + height\n";
  it.each([
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
  ])(
    "are no obstacle where they %s",
    async (_, tests) => {
      const outcome = await repair(test.dock, { "area.py": source, "test_area.py": tests }, "pytest -q", {
        limits: { seconds: 150, candidates: 250 },
      });
      expect(outcome.found[0]?.writes[0]?.content).toContain("return width * height");
    },
    300_000,
  );
});
