import type {
  HOST_NOTIFICATIONS,
  ResultInput,
  ResultType,
  RunContext,
  RunnerManifestInput,
  RunResult,
} from "@drydock/protocol/runner";
import type { HostApi } from "./host-api.ts";

type LogLevel = (typeof HOST_NOTIFICATIONS)["log"]["shape"]["level"]["options"][number];

/** What a runner is told about one run, and how it hears that the run is cancelled. */
export type RunnerContext = RunContext & {
  /** Aborted when the host cancels the run, shuts the plugin down, or goes away. */
  readonly signal: AbortSignal;
  /** A line for the host's log. What is printed goes to the log as well. */
  log(message: string, level?: LogLevel): void;
};

/** What a runner yields. `run_id` and `sequence` may be left out: the host knows the run, and numbers what it records. */
export type RunnerResult = {
  [Type in ResultType]: { type: Type; data: ResultInput<Type> } & Pick<RunResult, "run_id" | "sequence" | "timestamp">;
}[ResultType];

type Text = string | RunnerManifestInput["label"];

/** The manifest without what follows from the plugin. A text in one language may be a plain string: it counts as `en_US`. */
export type RunnerOptions = Omit<RunnerManifestInput, "id" | "label" | "description"> & {
  label: Text;
  description?: Text | null;
};

export interface Runner {
  readonly manifest: RunnerOptions;
  /** Gives the results of one run. What it throws ends the run with `run.failed`. */
  run(ctx: RunnerContext, api: HostApi): AsyncIterable<RunnerResult> | Iterable<RunnerResult>;
}

/** A plugin: one process that serves one or more runners. Author and name are those of its `plugin.yaml`. */
export interface Plugin {
  author: string;
  name: string;
  runners: readonly Runner[];
}

export function defineRunner(runner: Runner): Runner {
  return runner;
}
