import { join } from "node:path";
import { DrydockError, EffectivePolicy } from "@drydock/protocol";
import { isInside, realPathOf } from "../../base/paths/index.ts";
import { createPathRules, type PathRules } from "../../policy/index.ts";
import type { Policies } from "../policies/index.ts";

/**
 * What a delivery may touch: what the run was allowed when it started and what is allowed now, both; and nothing of
 * Drydock's own directories, should they lie in the workspace.
 */
export async function readDeliveryRules(
  frozen: unknown,
  workspace: string,
  { policies, own }: { policies: Policies; own: readonly string[] },
): Promise<PathRules> {
  const then = EffectivePolicy.safeParse(frozen);
  if (!then.success) {
    throw new DrydockError(
      "policy.invalid",
      "The policy of the run is not on record, so it is not known what it may change.",
      "Copy what you need by hand: `drydock runs diff` shows it.",
    );
  }
  const both = [then.data, (await policies.resolve({ workspace })).effective].map((policy) => createPathRules(policy));
  const kept = own.map(realPathOf);
  const isOwn = (path: string) => {
    const full = join(workspace, path);
    return kept.some((directory) => isInside(full, directory));
  };
  return {
    hidden: (path) => isOwn(path) || both.some((rules) => rules.hidden(path)),
    protectedPath: (path) => both.some((rules) => rules.protectedPath(path)),
    writable: (path) => !isOwn(path) && both.every((rules) => rules.writable(path)),
  };
}
