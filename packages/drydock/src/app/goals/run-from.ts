import { DrydockError, Layer, PlanAccepted, type RunEvent } from "@drydock/protocol";
import { createTaskBoard } from "../../engine/index.ts";
import { requireRun } from "../runs/require-run.ts";
import type { GoalResult, ResumeOptions } from "./api.ts";
import { continueRun } from "./continue-run.ts";
import type { GoalPorts } from "./goal-ports.ts";
import { chooseWorker } from "./read-worker.ts";
import { findOldBase, prepareRun, readFrozen } from "./start-goal.ts";

/** What the events of a task name in the content store. */
const DOCUMENT_FIELDS = [
  "answer",
  "layer",
  "diff",
  "verification",
  "result",
  "base",
  "account",
  "repairs",
  "outcome",
] as const;
const TAKEN_WHOLE: readonly string[] = ["plan.accepted", "run.followed"];
const TASK_EVENTS = /^(task|attempt|tool|check|rework|model|repair)\./;

/**
 * A new run that takes over what an old one proved, up to a task, and goes on live from there: that task and all that
 * depend on it are done again. It stands on the tree that the old run began with.
 */
export async function runFrom(
  ports: GoalPorts,
  oldId: string,
  task: string,
  options: ResumeOptions,
): Promise<GoalResult> {
  const old = await requireRun(ports.ledger, oldId);
  const events = await ports.readEvents(oldId);
  const frozen = readFrozen(old, events[0], "run again from a task");
  const accepted = PlanAccepted.safeParse(events.find((event) => event.type === "plan.accepted")?.data).data;
  const board = accepted && createTaskBoard(accepted.plan, events);
  if (!accepted || !board?.tasks.has(task)) throw noSuchTask(oldId, task, board ? [...board.tasks.keys()] : []);
  const again = new Set([task, ...board.dependents(task)]);
  const settings = await ports.readModelSettings(options.model);
  const { effective: policy } = await ports.policies.resolve({ workspace: frozen.workspace, request: frozen.policy });
  const request = {
    ...frozen.request,
    ...(options.model !== undefined && chooseWorker(settings)),
    ...(options.apply !== undefined && { apply: options.apply }),
    ...(options.budget !== undefined && { budget: options.budget }),
    from: { run: oldId, task, sameModel: options.model === undefined },
  };
  const { title } = old;
  const run = await prepareRun(ports, {
    title,
    workspace: frozen.workspace,
    policy,
    request,
    settings,
    watch: options,
  });
  const kept = events.filter((event) => TAKEN_WHOLE.includes(event.type) || isKept(event, again));
  for (const event of kept) await keepDocuments(ports, run.runId, event);
  const copies = kept.map(({ type, data }) => ({ type, data: { ...data, takenFrom: oldId } }));
  if (copies.length > 0) await ports.ledger.append(run.runId, copies);
  const findInitial = await findOldBase(ports, oldId);
  return continueRun(ports, { ...run, findInitial });
}

/** What belongs to a task that is not done again. */
function isKept({ type, data }: RunEvent, again: ReadonlySet<string>): boolean {
  return TASK_EVENTS.test(type) && typeof data.task === "string" && !again.has(data.task);
}

/** The new run must not lose what it stands on when the old one is removed. */
async function keepDocuments({ ledger }: GoalPorts, runId: string, { type, data }: RunEvent): Promise<void> {
  for (const name of DOCUMENT_FIELDS) {
    const sha256 = data[name];
    if (typeof sha256 !== "string" || sha256 === "") continue;
    const bytes = await ledger.blobs.readWhole(sha256);
    await ledger.blobs.put(bytes, { runId });
    if (name !== "layer" || type === "layer.captured") continue;
    const layer = Layer.safeParse(JSON.parse(bytes.toString())).data;
    const contents = new Set(layer?.entries.flatMap((entry) => (entry.kind === "deleted" ? [] : (entry.sha256 ?? []))));
    if (contents.size > 0)
      await ledger.blobs.putAll(await Promise.all([...contents].map((content) => ledger.blobs.path(content))), {
        runId,
      });
  }
}

function noSuchTask(runId: string, task: string, tasks: readonly string[]): DrydockError {
  return new DrydockError(
    "input.invalid",
    `Run ${runId} has no task ${task}.`,
    tasks.length === 0 ? "It never had a plan." : `Its tasks are: ${tasks.join(", ")}.`,
    { runId, task },
  );
}
