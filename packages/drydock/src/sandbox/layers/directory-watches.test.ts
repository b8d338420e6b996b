import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTemporaryDirectory } from "../../base/testing/temporary-directory.ts";
import { hashNaively, makeWorkspace } from "./testing/layers.ts";
import { openIndex } from "./testing/workspace-index.ts";

/** A user namespace of our own, where the number of watches can be set without touching anybody else's. */
const FEW_WATCHES = "echo 3 > /proc/sys/user/max_inotify_watches";
const canLimitWatches = spawnSync("unshare", ["-Ur", "sh", "-c", FEW_WATCHES]).status === 0;

test.skipIf(!canLimitWatches)("when the kernel has no more watches to give, every refresh looks at everything", () => {
  const workspace = makeWorkspace();
  for (let number = 0; number < 10; number += 1) mkdirSync(join(workspace, `d${number}`));
  const script = `
    import { writeFileSync } from "node:fs";
    import { createWorkspaceIndex } from ${JSON.stringify(new URL("./workspace-index.ts", import.meta.url).href)};
    const index = createWorkspaceIndex(${JSON.stringify(workspace)});
    await index.refresh();
    writeFileSync(${JSON.stringify(join(workspace, "d9/new"))}, "x");
    console.log(JSON.stringify({ watched: index.watched, found: (await index.refresh()).filesCount }));
    await index.close();`;
  const command = `${FEW_WATCHES} && exec "$0" --input-type=module -e "$1"`;
  const output = execFileSync("unshare", ["-Ur", "sh", "-c", command, process.execPath, script], { encoding: "utf8" });
  expect(JSON.parse(output)).toEqual({ watched: false, found: 1 });
});

test("a write that no watch reports is found by a full refresh", async () => {
  const workspace = makeWorkspace();
  const elsewhere = join(makeTemporaryDirectory(), "link");
  writeFileSync(join(workspace, "a"), "1");
  execFileSync("ln", [join(workspace, "a"), elsewhere]);
  const index = openIndex(workspace);
  await index.refresh();
  writeFileSync(elsewhere, "2");
  expect((await index.refresh({ full: true })).treeHash).toBe(hashNaively(workspace));
});

test("more events at once than the kernel keeps lead to a look at everything", async () => {
  const workspace = makeWorkspace();
  mkdirSync(join(workspace, "a"));
  mkdirSync(join(workspace, "z"));
  const index = openIndex(workspace);
  await index.refresh();
  // One blocked turn: the queue overflows with the events of one directory before the other one's arrives.
  const script = `import os
for name in "01": open("a/"+name, "w").close()
for i in range(40000): os.chmod("a/"+"01"[i % 2], 0o600)
open("z/late", "w").write("x")`;
  execFileSync("python3", ["-c", script], { cwd: workspace });
  expect((await index.refresh()).paths()).toEqual(["a", "a/0", "a/1", "z", "z/late"]);
});
