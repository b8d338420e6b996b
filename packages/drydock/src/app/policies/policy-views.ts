import type { PolicyDocument } from "@drydock/protocol";
import { explainPolicy, type PolicyRow, type ResolvedPolicy, withoutGuard } from "../../policy/index.ts";
import { resolveWorkspace } from "../../sandbox/index.ts";
import type { Policies } from "./create-policies.ts";

export interface PolicyView extends Pick<ResolvedPolicy, "effective" | "ceiling"> {
  /** Each value with its ceiling and the source that set it. */
  rows: PolicyRow[];
}

export interface PolicyViews {
  /** What would hold for a run; rejects with `policy.…` where the request asks for more than it may. */
  show(options?: {
    workspace?: string;
    policy?: PolicyDocument;
    preset?: PolicyDocument;
    /** With the Python guard off. */
    unsafe?: boolean;
  }): Promise<PolicyView>;
}

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
