import type { Queue, Registry, RunnerTable } from "../../extensions/index.ts";
import type { Redactor } from "../../ledger/index.ts";
import type { Budget } from "../../models/index.ts";
import type { PythonTaskPorts } from "../tasks/index.ts";
import type { OpenQuestions } from "./open-questions.ts";
import type { SecretStore } from "./secrets/create-secrets.ts";

/** A caller may have its own budget for models: requests of extensions are paid from it. */
export interface WithinBudget {
  inherited?: Budget | null;
}

/** What calls of extensions need, beyond what models and executions do. */
export interface CallPorts extends PythonTaskPorts {
  home: string;
  redactor: Redactor;
  registry: Registry;
  runners: RunnerTable;
  queue: Queue;
  asking: OpenQuestions;
  secrets: Pick<SecretStore, "read">;
  /** `PATH`. */
  searchPath: string;
}
