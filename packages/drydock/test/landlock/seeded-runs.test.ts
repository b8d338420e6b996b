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
  const reply = (await hostWithoutNamespaces(situation, host)) as Told;
  expect(reply.first.error).toBeNull();
  expect(reply.second.error).toBeNull();
  expect(reply.second.result).toEqual(reply.first.result);
  expect(reply.second.layer).toEqual(reply.first.layer);
  expect(reply.third.error).toBeNull();
  expect(JSON.stringify(reply.third.result)).toContain("written");
  expect(reply.third.layer).toEqual(reply.written);
  expect(reply.fourth.error).toMatchObject({ code: "sandbox.unavailable" });
  expect(existsSync("/tmp/drydock-pwned")).toBe(false);
});
