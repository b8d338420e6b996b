import { explainPolicy, withoutGuard } from "../../policy/index.ts";
import { resolveWorkspace } from "../../sandbox/index.ts";
import type { PolicyViews } from "./api.ts";
import type { Policies } from "./create-policies.ts";

export function createPolicyViews(policies: Policies, own: readonly string[]): PolicyViews {
  return {
    async show({ workspace, policy, preset, unsafe } = {}) {
      const place = workspace === undefined ? null : resolveWorkspace(workspace, own);
      const resolved = await policies.resolve({
        workspace: place,
        request: unsafe ? withoutGuard(policy) : policy,
        preset,
      });
      return { effective: resolved.effective, ceiling: resolved.ceiling, rows: explainPolicy(resolved) };
    },
  };
}
