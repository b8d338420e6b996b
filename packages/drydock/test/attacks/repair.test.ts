import { expect, test } from "vitest";
import { pythonWith } from "../repair/hostile-candidates.ts";
import { repair } from "../repair/search.ts";
import { openTestDock } from "../testing/test-dock.ts";

const t = openTestDock();

test("a candidate of repair that deletes everything it can reach costs itself", { timeout: 120_000 }, async () => {
  const files = pythonWith("shutil.rmtree(os.getcwd(), ignore_errors=True)");
  const limits = { seconds: 60, candidates: 250 };
  const { found } = await repair(t.dock, files, "pytest -q", { limits, scope: ["area.py"] });
  expect(found[0]?.writes[0]?.content).toContain("return width * height");
});
