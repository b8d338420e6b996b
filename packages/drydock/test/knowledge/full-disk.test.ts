import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CHILD_FLAGS } from "../../src/base/testing/child-flags.ts";
import { useTemporaryDirectory } from "../../src/base/testing/temporary-directory.ts";
import { writeFiles } from "../../src/base/testing/write-files.ts";

const directory = useTemporaryDirectory();

it.runIf(process.getuid?.() === 0)("a full disk ends an ingest with its reason, and what was read is found", () => {
  const words = (seed: number) => Array.from({ length: 12_000 }, (_, index) => `word${(index * 7919 + seed) % 99_991}`);
  const files = Array.from({ length: 30 }, (_, index) => [
    `kb/${10 + index}.txt`,
    `buoy${index} ${words(index).join(" ")}`,
  ]);
  writeFiles(directory, Object.fromEntries(files));
  const home = join(directory, "home");
  mkdirSync(home);
  const program = `
    import { createDock } from "drydock";
    const dock = await createDock({ home: ${JSON.stringify(home)}, warm: 0 });
    const error = await dock.knowledge.add("kb", [${JSON.stringify(join(directory, "kb"))}]).catch(({ code, message, hint }) => ({ code, message, hint }));
    const { hits } = await dock.knowledge.search("kb", "buoy0");
    console.log(JSON.stringify({ error, found: hits[0]?.source }));`;
  const child = [process.execPath, ...CHILD_FLAGS, "--input-type=module", "-e", program];
  const mount = 'mount -t tmpfs -o size=3m none "$HOME_ON_TMPFS" && exec "$@"';
  const { stdout, stderr } = spawnSync("unshare", ["-m", "sh", "-c", mount, "sh", ...child], {
    ...{ cwd: import.meta.dirname, env: { ...process.env, HOME_ON_TMPFS: home }, encoding: "utf8" },
  });
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual({
    error: {
      code: "ledger.unavailable",
      message: expect.stringContaining("the disk is full"),
      hint: expect.any(String),
    },
    found: "kb/10.txt",
  });
});
