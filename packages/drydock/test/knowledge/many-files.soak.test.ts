import { join } from "node:path";
import { expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";

const t = openTestDock({ warm: 0 });
const COUNT = 10_000;

it("10,000 small files are read in bounded memory, and looked at again without being read into the base", async () => {
  const files = Object.fromEntries(
    Array.from({ length: COUNT }, (_, index) => [
      `kb/${index % 100}/${index}.md`,
      `# Buoy ${index}\n\n${"word ".repeat(200)}`,
    ]),
  );
  const folder = join(t.makeWorkspace(files), "kb");
  let most = 0;
  const onProgress = ({ done }: { done: number }) => {
    if (done % 500 === 0) most = Math.max(most, process.memoryUsage().heapUsed);
  };
  global.gc?.();
  const before = process.memoryUsage().heapUsed;
  expect(await t.dock.knowledge.add("many", [folder], { onProgress })).toMatchObject({ added: COUNT, failed: 0 });
  expect(most - before).toBeLessThan(150 * 1024 * 1024);
  expect(await t.dock.knowledge.refresh("many")).toMatchObject({ unchanged: COUNT, added: 0, changed: 0 });
  expect((await t.dock.knowledge.search("many", "buoy 4711")).hits[0]?.source).toBe("kb/11/4711.md");
}, 600_000);
