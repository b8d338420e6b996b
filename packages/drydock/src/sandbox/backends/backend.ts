import type { BackendName, DoctorFinding, SandboxLevel } from "@drydock/protocol";
import type { RawExecution } from "../execution.ts";
import type { Fleet, FleetOptions } from "../members/fleet.ts";
import type { Preparer } from "../prepare.ts";
import type { RunRequest } from "../run-request.ts";
import type { rememberRules } from "../view/remember-rules.ts";
import type { Views } from "../view/view.ts";

/** What a backend reaches on this machine, and why no more. */
export interface Reach {
  level: SandboxLevel | "none";
  levelReason: string | null;
}

/** One way to contain a run. Only `sandbox.ts` calls it, and the outcome of every execution is made in the same way. */
export interface Backend {
  /**
   * Where the machine can't do it, it rejects with `sandbox.unavailable` and `data.missing` before anything has run: the next
   * backend that the policy accepts then takes the run.
   */
  execute(request: RunRequest): Promise<RawExecution>;
  probe(): Promise<Reach>;
  close(): Promise<void>;
}

/** What the sandbox gives each backend to work with. */
export interface BackendParts {
  /** The members in namespaces, which sessions share, and what a fleet of other members is made with. */
  fleet: Fleet;
  fleetOptions: FleetOptions;
  preparer: Preparer;
  views: Views;
  rulesOf: ReturnType<typeof rememberRules>;
  /** Where container engines are looked for. */
  searchPath: string;
  /** A directory for output that is too large for memory. */
  spool: string;
  /** The fork server was started for a single run: it ends with it. */
  isSingleRun: boolean;
  /** Runs on members of the fleet: while there are none, waiting members may rehearse. */
  activity: { underWay: number };
}

/** All that is to be known about a backend without running anything on it. */
export interface BackendDescriptor {
  /** The name by which a policy allows it and a result names it. Two may share one, at levels of their own. */
  backend: BackendName;
  /** The levels that it reaches, strongest first. None: it is no sandbox, and only a run that asks for none gets it. */
  levels: readonly SandboxLevel[];
  /** Whether only a machine on which those before it failed uses it. */
  isFallback: boolean;
  create(parts: BackendParts): Backend;
  /** The file of `kernel/` and the name of the list of what the code's process gives up there. Null: no steps of ours. */
  steps: { file: string; list: string } | null;
  doctor: {
    /** The first part of the sentence where it holds runs because another can't. */
    held: string;
    /** Findings without starting anything. `searchPath` is where container engines are looked for. */
    inspect(searchPath: string): DoctorFinding[];
    /** Of one that the policy does not name, where it can be told: what a policy that names it would find. */
    mention?(searchPath: string): string;
    /** What its reach means. */
    explainReach(reach: Reach): DoctorFinding[];
  };
}
