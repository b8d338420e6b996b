import type { Check } from "@drydock/protocol";
import type { Dock } from "drydock";
import { type RepairOutcome, type RepairRequest, searchRepair } from "../../src/engine/repair/index.ts";
import { makeMutableTree } from "../strength/mutable-tree.ts";
import { createDockRunner, type Files, POLICY } from "../verify/judge.ts";

/** Searches for a repair of files, on a real dock. */
export function repair(
  dock: Dock,
  files: Files,
  cmd: string,
  options: Partial<Omit<RepairRequest, "tree" | "checks">> & { checks?: Check[] } = {},
): Promise<RepairOutcome> {
  const request: RepairRequest = {
    tree: makeMutableTree(files),
    checks: [{ type: "command", cmd }],
    scope: ["**"],
    seed: 1,
    limits: { seconds: 120, candidates: 3000 },
    ...options,
  };
  return searchRepair(request, { runner: createDockRunner(dock), policy: POLICY, concurrency: 2 });
}
