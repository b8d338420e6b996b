import type { EffectivePolicy, Language } from "@drydock/protocol";

/** What a failure is explained against: the policy that held, and what the proxy refused meanwhile. */
export interface FailureContext {
  language: Language | "command";
  limits: EffectivePolicy["limits"];
  policy: EffectivePolicy;
  refused: readonly { host: string; port: number }[];
  /** Where the run's files lie, as the code sees it. */
  workDirectory?: string;
  /** What the code was compiled as. */
  file?: string;
  /** The code itself. */
  source?: string;
}
