import type { EffectivePolicy } from "@drydock/protocol";
import type { RuleOrigins } from "../policy/index.ts";
import type { Work } from "./describe-work.ts";
import type { LiveOptions } from "./live/live-link.ts";
import type { StdinSource } from "./members/feed-input.ts";
import type { FollowMemberOptions } from "./members/follow-member.ts";
import type { InitialLayer } from "./members/send-seed.ts";
import type { Mount } from "./resolve-mounts.ts";
import type { Reading } from "./view/view.ts";

/** What a run and a session have in common: policy, workspace, environment, mounts. */
export interface RunSetup {
  policy: EffectivePolicy;
  /** As `resolveWorkspace` gives it; null: an empty directory. */
  workspace: string | null;
  environment: Record<string, string>;
  /** Directories of the host that are mounted beside the workspace, read-only. */
  mounts?: readonly Mount[];
  /** A directory of the host that is the home of the program inside, and can be written. Default: an empty one that ends with the run. */
  home?: string;
  /** Whether programs and packages that the workspace has installed, and the owner's toolchains, are found. */
  project?: boolean;
  signal?: AbortSignal;
  /** Progress of reading a workspace that is new, or has changed. */
  onReading?: Reading["onProgress"];
}

/** One execution, as every use case requests it. */
export interface RunRequest extends RunSetup {
  work: Work;
  /** Where the policy's rules come from, for messages that name them. */
  rules?: RuleOrigins;
  /**
   * Records the run. Called when everything is ready and before the code is sent: nothing runs that is not recorded, and
   * the sandbox prepares meanwhile. Later calls do nothing. Absent for a part of a run that is on record already.
   */
  admit?: () => Promise<unknown>;
  stdin?: StdinSource;
  onOutput?: FollowMemberOptions["onOutput"];
  onInput?: FollowMemberOptions["onInput"];
  /** Runs without a sandbox. The caller has checked that the policy allows it. */
  unconfined?: boolean;
  /** The paths that may be changed, where that is less than the policy allows. */
  scope?: readonly string[];
  /** The paths that can be seen, where that is less than the policy shows. */
  visible?: readonly string[];
  /** A layer that is put on the workspace before the run begins; the captured layer then contains it. */
  base?: InitialLayer;
  /** Files of the workspace that nothing in the run can change, replace or move away. */
  pin?: readonly string[];
  /** A slot that a run with the same word has left untouched may be used, where the policy allows it. Default: none may. */
  reuseFor?: string;
  /** A process that serves others for as long as it lasts. It passes no gate: whoever starts it bounds how many there are. */
  isService?: boolean;
  /** Somebody sits at it: with a terminal, and copies of its files while it lasts. Namespaces only. */
  live?: LiveOptions;
  /** Whether to note the files that each program asks for. Namespaces only. */
  observe?: boolean;
  /** With `observe`: it stays on half of the processors, whatever it tries. Rejects where that can't be held. */
  aside?: boolean;
  /** A command that may ask for trial forks: copies of its processes, each in a place of its own. Namespaces only. */
  forks?: boolean;
  /**
   * A program of Drydock's own: it is started from the system, whatever the project has under its name, and it may be
   * written in Python where the policy lets no other Python run.
   */
  trusted?: boolean;
}
