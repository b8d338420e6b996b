import type { HomePolicyCheck, HomePolicyText, PolicyAnswer, PolicyDocument, PolicyQuestion } from "@drydock/protocol";
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

/** The owner's policy as a text, and questions about what holds. */
export interface HomePolicy {
  /** Whether a run may do one thing, by which rule, and where that stands. With `text`, as if that were the home policy. */
  ask(question: PolicyQuestion, options?: { workspace?: string; text?: string }): Promise<PolicyAnswer>;
  /** The owner's policy as it is written. */
  read(): Promise<HomePolicyText>;
  /** Whether a text would be a valid policy of the owner, and what would hold. */
  check(text: string): Promise<HomePolicyCheck>;
  /** Puts a text in its place, unless the file is another one than was read: `policy.conflict`. */
  save(text: string, options: { replaces: string | null }): Promise<HomePolicyText>;
}
