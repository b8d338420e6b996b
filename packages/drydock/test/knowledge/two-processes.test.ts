import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { CHILD_FLAGS } from "../../src/base/testing/child-flags.ts";
import { openTestDock } from "../testing/test-dock.ts";

const t = openTestDock({ warm: 0 });

const COUNT = 60;
const makeFolder = () =>
  join(
    t.makeWorkspace(
      Object.fromEntries(Array.from({ length: COUNT }, (_, index) => [`kb/${index}.md`, `# Buoy ${index}\n\ntext`])),
    ),
    "kb",
  );

function startIngest(name: string, folder: string): ChildProcess {
  const program = `
    import { createDock } from "drydock";
    const dock = await createDock({ home: ${JSON.stringify(t.home)}, warm: 0 });
    const onProgress = ({ done }) => { if (done === 10) console.error("ten"); };
    console.log(JSON.stringify(await dock.knowledge.add(${JSON.stringify(name)}, [${JSON.stringify(folder)}], { onProgress })));
    await dock.close();`;
  return spawn(process.execPath, [...CHILD_FLAGS, "--input-type=module", "-e", program], {
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

it("two processes that read one folder into one base take turns, and nothing is there twice", async () => {
  const folder = makeFolder();
  const children = [startIngest("both", folder), startIngest("both", folder)];
  const reports = await Promise.all(
    children.map(async ({ stdout }) => JSON.parse(await text(stdout as NodeJS.ReadableStream))),
  );
  expect(reports.map(({ added, unchanged, removed }) => [added, unchanged, removed]).sort()).toEqual([
    [0, COUNT, 0],
    [COUNT, 0, 0],
  ]);
  expect(await t.dock.knowledge.list()).toMatchObject([{ name: "both", documents: COUNT, chunks: COUNT }]);
});

it("a process that is killed half way leaves a base that can be searched and completed", async () => {
  const folder = makeFolder();
  const child = startIngest("killed", folder);
  await once(child.stderr as NodeJS.ReadableStream, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  expect((await t.dock.knowledge.search("killed", "buoy 3")).hits.length).toBeGreaterThan(0);
  const { added, unchanged } = await t.dock.knowledge.refresh("killed");
  expect([added > 0, added + unchanged]).toEqual([true, COUNT]);
  const { documents, chunks } = await t.dock.knowledge.show("killed");
  expect([documents, chunks]).toEqual([COUNT, COUNT]);
});
