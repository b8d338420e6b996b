import type { CheckPhase, EffectivePolicy } from "@drydock/protocol";
import { createPathRules } from "../../../../policy/index.ts";
import type { TreeRunner } from "../../../ports.ts";
import { judgeCheck } from "../../judge-check.ts";
import type { JudgedTree } from "../../judged-tree.ts";
import { accumulateServices } from "../../refuse-check.ts";
import type { CheckRecord, CommandCheck, RecordStore } from "./base-record.ts";
import { takeRecord } from "./take-record.ts";

export interface RecordPorts {
  policy: EffectivePolicy;
  runner: TreeRunner;
  records: RecordStore;
  signal: AbortSignal;
}

/** Results of each check on the untouched tree. A later verdict does not run it there again. */
export async function recordChecks<T extends CommandCheck>(
  { policy, runner, records: store, signal }: RecordPorts,
  tree: JudgedTree,
  checks: readonly T[],
  onStart: (check: T, phase: CheckPhase) => void = () => {},
): Promise<{ check: T; record: CheckRecord }[]> {
  const services = accumulateServices(checks);
  const rules = createPathRules(policy);
  const recorded: { check: T; record: CheckRecord }[] = [];
  for (const [index, check] of checks.entries()) {
    const place = { policy, rules, runner, signal, services: services[index] ?? [], pin: [], noteChanged: () => {} };
    const record = await takeRecord(check, tree, {
      store,
      contextFor: (judged) => ({ ...place, tree: judged, before: judged }),
      judge: judgeCheck,
      onStart: () => onStart(check, "untouched"),
    });
    recorded.push({ check, record });
  }
  return recorded;
}
