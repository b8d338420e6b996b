import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Layer } from "@drydock/protocol";
import { afterAll, expect, test } from "vitest";
import { SOURCE_FLAGS } from "../../src/base/testing/child-flags.ts";
import type { TreeRunResult } from "../../src/engine/ports.ts";
import { hostWithoutNamespaces, makeOwnDirectory, possibleSituations } from "./without-namespaces.ts";

const directory = mkdtempSync(join(tmpdir(), "drydock-landlock-trees-"));
chmodSync(directory, 0o755);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Told {
  first: TreeRunResult;
  second: TreeRunResult;
  third: TreeRunResult;
  written: Layer;
  fourth: TreeRunResult;
}

test.each(possibleSituations())("a run starts from a layer for %s", async (situation) => {
  const host = [...SOURCE_FLAGS, join(import.meta.dirname, "seeded-run.ts"), makeOwnDirectory(situation, directory)];
  const told = (await hostWithoutNamespaces(situation, host)) as Told;
  expect(told.first.error).toBeNull();
  expect(told.second.error).toBeNull();
  expect(told.second.result).toEqual(told.first.result);
  expect(told.second.layer).toEqual(told.first.layer);
  expect(told.third.error).toBeNull();
  expect(JSON.stringify(told.third.result)).toContain("written");
  expect(told.third.layer).toEqual(told.written);
  expect(told.fourth.error).toMatchObject({ code: "sandbox.unavailable" });
  expect(existsSync("/tmp/drydock-pwned")).toBe(false);
});
