import { DrydockError, type RunEvent, type RunKind } from "@drydock/protocol";
import { type Budget, createBudget, createModel, type Model, type RetryNotice } from "../../models/index.ts";
import { loadTaskPrompts, type OnProgress, type TaskPorts } from "../../tasks/index.ts";
import { describeRetry, sumUsage } from "../models/index.ts";
import { nameParent, nameReplayed, titleOfReplay } from "../runs/exec-ports.ts";
import { openControl } from "../runs/open-control.ts";
import { openDocuments, openJournal } from "../runs/open-journal.ts";
import { cutRedacted } from "../runs/record/cut-redacted.ts";
import { asDrydockError } from "../runs/refuse-run.ts";
import { keepAttachments } from "./attachments.ts";
import type { PythonTaskPorts } from "./create-python-tasks.ts";
import type { TaskLocation } from "./stage.ts";

export interface RecordRequest {
  kind: Extract<RunKind, "task" | "workflow" | "agent">;
  title: string;
  workspace: string | null;
  /** Frozen into the run: the policy and the request. */
  data: { policy: unknown; request: Record<string, unknown> };
  parentRunId?: string;
  /** The run that this one repeats. */
  replayOf?: string;
  /** Kept for replays. */
  files?: TaskLocation["files"];
  model?: string;
  budget?: { tokens?: number; usd?: number };
  /** Of the run that this one is a part of: whatever is spent here is spent there. */
  inherited?: Budget | null;
  signal?: AbortSignal;
  onEvent?: (event: RunEvent) => void;
  onProgress?: OnProgress;
}

export type RecordedPorts = TaskPorts & { prompts: ReturnType<typeof loadTaskPrompts>; budget: Budget | null };

const TITLE_CHARS = 200;

export interface Recorded<T> {
  runId: string;
  usage: ReturnType<typeof sumUsage>;
  outcome: { kind: "done"; value: T } | { kind: "broken"; error: DrydockError };
}

/**
 * Records a run, does the work, and ends the run with its result. An error of the work ends the run as well, and is
 * part of the outcome.
 */
export async function recordRun<T>(
  ports: PythonTaskPorts,
  request: RecordRequest,
  work: (recorded: RecordedPorts, runId: string) => Promise<{ value: T; ok: boolean; data: Record<string, unknown> }>,
): Promise<Recorded<T>> {
  const { ledger } = ports;
  const { kind, workspace, data } = request;
  const title =
    request.replayOf === undefined
      ? cutRedacted(ledger, request.title.replace(/\s+/g, " ").trim(), TITLE_CHARS)
      : titleOfReplay(request.replayOf);
  const named = { ...data, ...nameParent(request), ...nameReplayed(request) };
  const { id: runId } = await ledger.createRun({ kind, title, workspace, data: named });
  const past = await ports.readEvents(runId);
  const onEvent = quietly(request.onEvent);
  for (const event of past) onEvent(event);
  const journal = openJournal(ledger, runId, past, onEvent);
  const control = openControl(ledger, runId, request.signal);
  const { signal } = control;
  const end = async (type: "run.succeeded" | "run.failed" | "run.cancelled", endData: Record<string, unknown>) => {
    const usage = sumUsage(journal.events());
    const terminal = { type, data: { verdict: "unverified", treeHash: null, error: null, ...endData, usage } };
    for (const event of await ledger.finish(runId, terminal)) onEvent(event);
    return usage;
  };
  try {
    signal.throwIfAborted();
    if (request.files) await keepAttachments(ledger, runId, request.files);
    const { model, budget } = await openTaskModel(ports, {
      ...request,
      onNotice: (text) => quietly(request.onProgress)({ kind: "notice", text }),
    });
    const recorded: RecordedPorts = {
      journal,
      documents: openDocuments(ledger, runId),
      model,
      budget,
      prompts: loadTaskPrompts(ports.promptsDirectory),
      now: () => Date.now(),
      checkpoint: () => signal.throwIfAborted(),
      signal,
      onProgress: quietly(request.onProgress),
    };
    const { value, ok, data: endData } = await work(recorded, runId);
    const usage = await end(ok ? "run.succeeded" : "run.failed", endData);
    return { runId, usage, outcome: { kind: "done", value } };
  } catch (caught) {
    const isCancelled = signal.aborted || (caught instanceof DrydockError && caught.code === "run.cancelled");
    const error = isCancelled ? cancelled() : asDrydockError(caught);
    const usage = await end(isCancelled ? "run.cancelled" : "run.failed", { error: error.toInfo() });
    return { runId, usage, outcome: { kind: "broken", error } };
  } finally {
    control.close();
  }
}

interface ModelChoice extends Pick<RecordRequest, "model" | "budget" | "inherited"> {
  onNotice?: (text: string) => void;
}

export async function openTaskModel(
  ports: PythonTaskPorts,
  { model: wanted, budget: requestedBudget, inherited = null, onNotice }: ModelChoice,
): Promise<{ model: Model | null; budget: Budget | null }> {
  const settings = await ports.readModelSettings(wanted);
  let model: Model | null = null;
  try {
    const onRetry = (notice: RetryNotice) => onNotice?.(describeRetry(notice));
    if (settings.spec !== null) model = await createModel(settings.spec, { ...settings.options, onRetry });
  } catch (error) {
    // A recording needs no model: one is looked up only if the recording has no answer.
    if (!ports.wrapModel) throw error;
  }
  const wrapped = ports.wrapModel ? ports.wrapModel(model) : model;
  const limits = { ...settings.budget, ...requestedBudget };
  const own = limits.tokens === undefined && limits.usd === undefined ? null : createBudget(limits);
  const budget = inherited ?? own;
  return { model: wrapped && budget ? budget.limit(wrapped) : wrapped, budget };
}

/** The same ports with this model, or none, whatever is configured. */
export function withModel<P extends PythonTaskPorts>(ports: P, model: Model | null): P {
  const settings = { spec: null, source: null, detected: null, options: {}, budget: {} };
  const wrapModel = model ? () => model : undefined;
  return { ...ports, wrapModel, readModelSettings: async () => settings };
}

function cancelled(): DrydockError {
  return new DrydockError("run.cancelled", "The run was cancelled.", "Start it again when you want it.");
}

/** A listener that throws is warned about: the run is not at fault. */
function quietly<T>(listener: ((item: T) => void) | undefined): (item: T) => void {
  return (item) => {
    try {
      listener?.(item);
    } catch (error) {
      process.emitWarning(
        `a listener threw: ${error instanceof Error ? error.message : String(error)}`,
        "DrydockWarning",
      );
    }
  };
}
