import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeFiles } from "../../base/testing/write-files.ts";
import { makeWorkspace } from "../layers/testing/layers.ts";
import { keepInMemory, rulesFor } from "../worktree/testing/workbench.ts";
import { createViews } from "./view.ts";

test("a workbench does not show the configuration of a repository below that holds credentials", async () => {
  const workspace = makeWorkspace();
  writeFiles(workspace, {
    "a/.git/config": "[remote]\n url = https://t0k@example.org/x.git\n",
    "b/.git/config": "[user]\n name = me\n",
  });
  const views = createViews(join(makeWorkspace(), "cache"), []);
  onTestFinished(() => views.close());
  const bench = await views.openWorkbench({ workspace, rules: rulesFor(["**"]), contents: keepInMemory() });
  onTestFinished(() => bench.close());
  const tree = bench.tree(null);
  expect([tree.lookup("a/.git/config"), tree.lookup("b/.git/config")?.type]).toEqual([undefined, "file"]);
});
