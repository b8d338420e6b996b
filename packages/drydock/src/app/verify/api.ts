import type { Check, CheckEntry, CheckResult, PolicyDocument, StrengthEvidence, Verification } from "@drydock/protocol";
import type { StrengthProgress } from "../../engine/index.ts";
import type { ScanProgress } from "../../sandbox/index.ts";
import type { Track } from "../runs/track-calls.ts";
import type { VerifyPorts } from "./verify.ts";

export interface VerifyOptions {
  /**
   * Command lines that must end with status 0, or checks. Default: those of the workspace's `.drydock/checks.yaml`. What
   * the policy requires (`checks.required`) is judged in any case.
   */
  checks?: readonly CheckEntry[];
  /** The file that they were read from: reports name it where a check is about no other file. */
  checksFile?: string;
  /** The directory that is judged, as it stands. */
  workspace: string;
  policy?: PolicyDocument;
  signal?: AbortSignal;
  /** How far reading the directory is. */
  onReading?: (progress: ScanProgress) => void;
  /** Each check that runs something, when it begins. */
  onStart?: (check: Check) => void;
  /** Each result as soon as it is there. */
  onCheck?: (result: CheckResult) => void;
  /** Measures, once all checks passed, how many small faults in the source they notice. */
  strength?: StrengthOptions;
}

export interface StrengthOptions {
  /** Mutates only lines that changed since this git revision; without it, all source that is no test. */
  since?: string;
  /** At most so many mutants are tried. Default 100. */
  mutants?: number;
  /** Draws the sample where there are more. Default 1. */
  seed?: number;
  /**
   * The least share, from 0 to 1. Below it the verdict is `failed`; so it is where nothing could be measured although there is
   * something to mutate.
   */
  min?: number;
  /** What is not tried within this time is left out. Default 600. */
  budgetSeconds?: number;
  onProgress?: (progress: StrengthProgress) => void;
}

export interface VerifyResult extends Verification {
  runId: string;
  /** By all checks together; each check has its own figure. Only if requested, and if all checks passed. */
  strength?: StrengthEvidence;
  /** Notes: what the checks used of the project's environment, and what they could not use. */
  notes: string[];
}

export interface Verifier {
  /** Judges a directory by checks. Rejects where that can't be done; whatever the checks find is a result. */
  verify(options: VerifyOptions): Promise<VerifyResult>;
}

/** @internal */
export function createVerifier(ports: VerifyPorts, track: Track): Verifier {
  return {
    verify: (options) =>
      track(options.signal, async (signal) => (await import("./verify.ts")).verify(ports, { ...options, signal })),
  };
}
