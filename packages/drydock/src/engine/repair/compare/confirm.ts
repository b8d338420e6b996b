import { createPathRules } from "../../../policy/index.ts";
import { judgeCheck } from "../../verify/judge-check.ts";
import { isCommandCheck } from "../../verify/proof/records/base-record.ts";
import { accumulateServices } from "../../verify/refuse-check.ts";
import { toWrites } from "../describe-candidate.ts";
import type { RepairPorts, RepairRequest } from "../repair-types.ts";
import type { Candidate } from "../workshop.ts";

/** A command that takes longer confirms nothing: a search has to end. */
const MAX_SECONDS = 120;

/** Whether all checks pass with a candidate, each in a fresh sandbox: what its own processes reported counts for nothing. */
export async function confirm(
  { tree, checks, signal }: RepairRequest,
  { runner, policy }: RepairPorts,
  candidate: Candidate,
): Promise<boolean> {
  const writes = await toWrites(tree, candidate.edits);
  const edited = await tree.edit(writes.map(({ path, content }) => ({ path, content: Buffer.from(content) })));
  const services = accumulateServices(checks);
  for (const [index, check] of checks.entries()) {
    const timed = isCommandCheck(check)
      ? { ...check, timeout: Math.min(check.timeout ?? MAX_SECONDS, MAX_SECONDS) }
      : check;
    const { verdict } = await judgeCheck(timed, {
      tree: edited,
      before: null,
      policy,
      rules: createPathRules(policy),
      runner,
      signal,
      services: services[index] ?? [],
      noteChanged: () => {},
    });
    if (verdict !== "passed") return false;
  }
  return true;
}
