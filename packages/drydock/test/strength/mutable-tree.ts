import type { Check } from "@drydock/protocol";
import type { Dock } from "drydock";
import { listMutants } from "../../src/engine/mutate/list-mutants.ts";
import { listSource } from "../../src/engine/mutate/strength/list-source.ts";
import { measureStrength } from "../../src/engine/mutate/strength/measure-strength.ts";
import type { MutableTree } from "../../src/engine/mutate/strength/try-mutants.ts";
import { createRunPython } from "../../src/engine/source/run-python.ts";
import { makeDirectory, readDirectoryTree } from "../../src/engine/verify/testing/directory-tree.ts";
import { createDockRunner, type Files, POLICY } from "../verify/judge.ts";

export function makeMutableTree(files: Files): MutableTree {
  return readDirectoryTree(makeDirectory(files));
}

/** The strength of one command on all mutants of the files. */
export async function measureFiles(dock: Dock, files: Files, cmd: string, { isWarm = true, limit = 1000 } = {}) {
  const tree = makeMutableTree(files);
  const runner = createDockRunner(dock);
  const source = await listSource(tree, null);
  const { found, mutants } = await listMutants(source, createRunPython(runner, tree), { seed: 1, limit });
  const checks: Check[] = [{ type: "command", cmd }];
  return measureStrength({ tree, mutants, found, seed: 1, checks, policy: POLICY, runner, isWarm });
}
