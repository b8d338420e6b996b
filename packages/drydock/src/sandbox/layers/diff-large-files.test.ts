import { mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LayerEntry } from "@drydock/protocol";
import { expect, test } from "vitest";
import { makeTemporaryDirectory } from "../../base/testing/temporary-directory.ts";
import { createBaseReader } from "./base-reader.ts";
import { diffLayer } from "./diff-layer.ts";

const HUGE = 3 * 1024 ** 3;

/** Its content is the file of the same name. */
function entryOf(path: string, kind: LayerEntry["kind"], size: number): LayerEntry {
  const before = kind === "added" ? {} : { wasType: "file" as const, wasMode: 0o644 };
  return { path, kind, type: "file", mode: 0o644, size, sha256: path, ...before };
}

test("files that are too large to be read are named, and all others shown", async () => {
  const directory = makeTemporaryDirectory();
  const [base, result] = [join(directory, "base"), join(directory, "result")];
  for (const place of [base, result]) mkdirSync(place);
  writeFileSync(join(base, "a.txt"), "one\n");
  writeFileSync(join(base, "grows"), "small\n");
  writeFileSync(join(result, "a.txt"), "two\n");
  for (const name of ["grows", "huge"]) {
    writeFileSync(join(result, name), "");
    // Without content on the disk.
    truncateSync(join(result, name), HUGE);
  }
  const entries = [entryOf("a.txt", "changed", 4), entryOf("grows", "changed", HUGE), entryOf("huge", "added", HUGE)];
  const patch = await diffLayer(
    { entries },
    {
      readBase: createBaseReader(base),
      readBlob: async (sha256) => readFileSync(join(result, sha256)),
      isHidden: () => false,
    },
  );
  expect(patch).toContain("# huge has 3221225472 bytes: too much to be shown\n");
  expect(patch).toContain("diff --git a/huge b/huge\nnew file mode 100644\nBinary files /dev/null and b/huge differ\n");
  expect(patch).toContain("diff --git a/grows b/grows\nBinary files a/grows and b/grows differ\n");
  expect(patch).toContain("-one\n+two\n");
});
