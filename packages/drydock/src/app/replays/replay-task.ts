import { Check, type Divergence, TaskContext } from "@drydock/protocol";
import * as z from "zod";
import { openAskedModel } from "../runs/recorded/recorded-answers.ts";
import type { RecordedRun } from "../runs/recorded/recorded-run.ts";
import { readActions } from "../runs/session-record/read-actions.ts";
import { loadTaskRuns, withModel } from "../tasks/index.ts";
import { Attached, readAttached } from "./attached-files.ts";
import { compareTasks } from "./compare-tasks.ts";
import { checkParts } from "./find-alterations.ts";
import { choosePolicy, refuseNetwork } from "./frozen-policy.ts";
import { openReplaySession } from "./open-replay-session.ts";
import { openReplayWorkspace } from "./open-workspace.ts";
import { isInstallation, notReplayable, readParts, readRecorded } from "./read-recorded.ts";
import { readRequest } from "./read-request.ts";
import { replaySessionStep } from "./replay-session.ts";
import type { Replayed, ReplayPorts, ReplayRequest } from "./replayer.ts";

const RecordedTask = z.object({
  instruction: z.string().optional(),
  instructions: z.array(z.string()).optional(),
  context: TaskContext.optional(),
  session: z.string().optional(),
  checks: z.array(Check).optional(),
  attempts: z.number(),
  stopOnError: z.boolean().optional(),
  from: z.number().optional(),
  resumeFrom: z.object({ runId: z.string(), step: z.number() }).optional(),
  requirements: z.array(z.string()).optional(),
  install: z.boolean().optional(),
  attachments: z.array(Attached).default([]),
});
type RecordedTask = z.infer<typeof RecordedTask>;

/** A task or a workflow: the recorded answers take the model's place, and the code is executed again. */
export async function replayTask(ports: ReplayPorts, recorded: RecordedRun, request: ReplayRequest): Promise<Replayed> {
  const { run, events } = recorded;
  if (events[0]?.data.parentRunId !== undefined && events[0].data.replayOf === undefined) {
    return replayInner(ports, recorded, request);
  }
  const wanted = readRequest(recorded, RecordedTask);
  const parts = (await readParts(ports, run.id)).filter((part) => !isInstallation(part));
  refuseNetwork(parts, request);
  const policy = await choosePolicy(ports, recorded, request, run.workspace);
  const attachments = await readAttached(ports, run.id, wanted.attachments);
  const place = await openPlace(ports, recorded, wanted, parts, request);
  const altered = await checkParts(ports, parts);
  try {
    const model = openAskedModel(ports.ledger.blobs, events, altered);
    const options = {
      ...{ context: wanted.context, attempts: wanted.attempts, checks: wanted.checks, policy, attachments },
      ...{ requirements: wanted.requirements, install: wanted.install === true && request.network === true },
      ...{ ...place.options, signal: request.signal },
    };
    const extras = { replayOf: run.id, parentRunId: request.parentRunId };
    const { executePythonTask, executePythonWorkflow } = await loadTaskRuns();
    const recordedPorts = withoutDefaults(withModel(ports, model));
    const { runId } =
      wanted.instructions === undefined
        ? await executePythonTask(recordedPorts, wanted.instruction ?? "", options, extras)
        : await executePythonWorkflow(
            recordedPorts,
            wanted.instructions,
            { ...options, stopOnError: wanted.stopOnError, resumeFrom: wanted.resumeFrom },
            { ...extras, restored: await readRestored(ports, recorded, wanted) },
          );
    const replayed = { run, events: await ports.readEvents(runId) };
    const { divergences, treeHash, steps } = await compareTasks(ports, recorded, replayed);
    const verdict = (await ports.ledger.getRun(runId))?.verdict ?? "unverified";
    return {
      ...{ runId, verdict, treeHash, steps, notes: [] },
      divergences: [...altered, ...place.divergences, ...divergences],
    };
  } finally {
    await place.close();
  }
}

interface TaskPlace {
  options: { session?: string; workspace?: string };
  divergences: Divergence[];
  close(): Promise<void>;
}

/** The session as the task found it, or the directory. */
async function openPlace(
  ports: ReplayPorts,
  recorded: RecordedRun,
  { session }: RecordedTask,
  parts: readonly RecordedRun[],
  request: ReplayRequest,
): Promise<TaskPlace> {
  const { run } = recorded;
  const [first] = parts.filter((part) => part.run.kind === "session");
  if (session !== undefined) {
    const actions = await readActions(ports.ledger, session, run.id);
    const opened = await openReplaySession(ports, actions, recorded, request, first);
    const { divergences, close } = opened;
    return { options: { session: opened.session.id }, divergences, close };
  }
  const policy = await choosePolicy(ports, recorded, request, run.workspace);
  const began = { run, events: first?.events ?? [] };
  const workspace = await openReplayWorkspace(ports, began, request, { policy, delivered: parts.toReversed() });
  const { path, divergences, close } = workspace;
  return { options: path === null ? {} : { workspace: path }, divergences, close };
}

/** The code that a resumed workflow took over, as it was then. */
async function readRestored(ports: ReplayPorts, { events }: RecordedRun, { session, resumeFrom }: RecordedTask) {
  if (resumeFrom === undefined || session !== undefined) return undefined;
  const taken = events.flatMap(({ type, data }) => {
    const step = type === "code.executed" && /^step\/(\d+)\/restored$/.exec(String(data.key))?.[1];
    return step ? [{ step: Number(step), data }] : [];
  });
  return Promise.all(
    taken.map(async ({ step, data }) => {
      const code = (await ports.ledger.blobs.readWhole(String(data.code))).toString();
      return { step, block: String(data.block), code };
    }),
  );
}

/** A task of a conversation ran in the conversation's session: what it executed are steps of that one. */
async function replayInner(ports: ReplayPorts, { run, events }: RecordedRun, request: ReplayRequest) {
  const executed = events.filter(({ type }) => type === "code.executed").map(({ data }) => data.executionRunId);
  const last = executed.findLast((id) => typeof id === "string");
  if (last === undefined) throw notReplayable(run.id, "it executed no code", "There is nothing to execute again.");
  const step = await readRecorded(ports.ledger, last);
  const altered = await checkParts(ports, [step]);
  const replayed = await replaySessionStep(ports, step, request);
  const note = "it was a part of a conversation: the steps of the conversation's session were executed again";
  return { ...replayed, divergences: [...altered, ...replayed.divergences], notes: [...replayed.notes, note] };
}

/** What the owner has set up since holds for new tasks only: the record says where this one worked. */
function withoutDefaults<P extends ReplayPorts>(ports: P): P {
  return { ...ports, readDefaults: async () => ({ ...(await ports.readDefaults()), workspace: null }) };
}
