import type { PolicyDocument } from "@drydock/protocol";
import type { PolicyRow, ResolvedPolicy } from "../../policy/index.ts";

export interface PolicyView extends Pick<ResolvedPolicy, "effective" | "ceiling"> {
  /** Each value with its ceiling and the source that set it. */
  rows: PolicyRow[];
}

export interface ShowPolicyOptions {
  workspace?: string;
  policy?: PolicyDocument;
  preset?: PolicyDocument;
  /** With the Python guard off. */
  unsafe?: boolean;
}

export interface PolicyViews {
  /** What would hold for a run; rejects with `policy.…` where the request asks for more than it may. */
  show(options?: ShowPolicyOptions): Promise<PolicyView>;
}
