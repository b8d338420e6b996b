import type { EffectivePolicy, Language } from "@drydock/protocol";
import type { RuleOrigins } from "../../policy/index.ts";

/** What a failure is explained against: the policy that held, and what the proxy refused meanwhile. */
export interface FailureContext {
  language: Language | "command";
  limits: EffectivePolicy["limits"];
  policy: EffectivePolicy;
  /** Who wrote the rules of that policy, where it is known. */
  rules?: RuleOrigins;
  refused: readonly { host: string; port: number }[];
  /** The end of what it wrote to standard error. */
  stderr?: string;
  /** Where the run's files lie, as the code sees it. */
  workDirectory?: string;
  /** Whether the code sees files of this machine outside of its work directory. */
  seesHost?: boolean;
  /** What the code was compiled as. */
  file?: string;
  /** The code itself. */
  source?: string;
}
