import type { DeliveryOutcome, DeliveryReport } from "@drydock/protocol";

export interface Delivered extends DeliveryReport {
  outcome: DeliveryOutcome;
}

export interface Reverted extends DeliveryReport {
  outcome: "reverted";
}

export interface Discarded {
  runId: string;
  outcome: "discarded" | "already";
}

export interface ApplyOptions {
  /** Commits the changes on this new branch, and touches no file. */
  branch?: string;
  /** A person has agreed to files that programs run by themselves (`.envrc`, CI files, install scripts). Default false. */
  allowAutorun?: boolean;
  /** A person has read the changes of a run whose verdict is `unproven`, and wants them all the same. Default false. */
  allowUnproven?: boolean;
  /**
   * Delivers new files that git ignores, and caches of tools, too. Without it they are left out, and `notes` says how
   * many; what checks have judged is always delivered whole. Default false.
   */
  includeIgnored?: boolean;
  signal?: AbortSignal;
}

export interface Deliveries {
  /**
   * Puts what the run changed into its workspace, wholly or not at all, or on a new branch. DrydockError
   * `delivery.conflict` names the files (`data.files`) that stand in the way; `policy.approval_denied` those that run
   * by themselves (`data.autorun`) and need `allowAutorun`. Nothing is changed then.
   */
  apply(id: string, options?: ApplyOptions): Promise<Delivered>;
  /** Says that what the run changed is not wanted; it can't be applied any more. */
  discard(id: string): Promise<Discarded>;
  /** Undoes an apply, wholly or not at all. */
  revert(id: string, options?: { signal?: AbortSignal }): Promise<Reverted>;
}
