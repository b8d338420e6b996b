import * as z from "zod";
import { ErrorInfo } from "../errors/errors.ts";
import { TaskId } from "../plan.ts";
import { EVENT_GROUP_NAMES, VERDICTS } from "../run/event-types.ts";
import { EventPage, Run, RunCounts, RunKind, RunSummary } from "../run/run.ts";
import { RunHistory } from "../run/run-history.ts";
import { RUN_STATUSES } from "../run/run-statuses.ts";
import { defineOperation } from "./operation.ts";
import {
  acceptedField,
  budgetField,
  cursorField,
  InputBody,
  limitField,
  listField,
  modelField,
  nextCursor,
  runIdParam,
} from "./request-fields.ts";
import { applyField, ResumeBody, RunBody } from "./run-body.ts";

const RunParams = z.object({ id: runIdParam });
const tag = "runs";

/** Which runs are asked for: in lists and in counts the same. */
const runFilter = {
  status: listField(RUN_STATUSES).optional().describe("Only runs with this status; several with commas."),
  verdict: listField(VERDICTS).optional().describe("Only runs with this verdict; several with commas."),
  kind: listField(RunKind.options).optional().describe("Only runs of this kind; several with commas."),
  workspace: z.string().optional().describe("Only runs on this directory, as an absolute path."),
  session: z
    .string()
    .max(100)
    .optional()
    .describe("Only steps of the session with this id, `ses_…`, and its rollbacks."),
  agent: z.string().max(200).optional().describe("Only runs of the agent with this name."),
  text: z
    .string()
    .max(200)
    .optional()
    .describe("Only runs in whose title, id or directory all of these words occur, 8 at most, in upper or lower case."),
  since: z.string().max(40).optional().describe("Only runs that were started then or later, ISO 8601."),
  until: z.string().max(40).optional().describe("Only runs that were started before that, ISO 8601."),
};

const RequestedEnd = z.object({
  runId: runIdParam,
  asked: z.enum(["cancel", "pause"]).describe("What was requested. The run ends or stops shortly after."),
});

export const RUNS = {
  createRun: defineOperation({
    method: "post",
    path: "/runs",
    tag,
    client: "runs.create",
    summary:
      "Start a run in the background: a goal, an execution, a task, a workflow, an agent's call or a slash command",
    description:
      "Starts a goal: a model plans the work, it is done in sandboxes, and checks judge the result. Answers at once with the id of the run; `GET /runs/{id}/events` follows it. Nothing is delivered unless the checks pass.",
    scope: "run",
    body: RunBody,
    status: 202,
    response: Run,
    idempotent: true,
  }),
  listRuns: defineOperation({
    method: "get",
    path: "/runs",
    tag,
    client: "runs.list",
    summary: "Runs, the newest first; `cursor` of one page asks for the next",
    description: "Lists the runs of this home in pages, the newest first. The filters can be combined.",
    scope: "read",
    query: z.strictObject({
      limit: limitField.describe("Runs on one page, 1 to 1000. Default: 50."),
      cursor: cursorField,
      ...runFilter,
    }),
    response: z.object({
      runs: z.array(RunSummary).describe("One page of runs, the newest first."),
      cursor: nextCursor.describe(
        "Pass it as `cursor` to get the next page; null on the last. With `text`, a page can be short or empty and not the last: each looks through 50,000 runs.",
      ),
    }),
  }),
  countRuns: defineOperation({
    method: "get",
    path: "/runs/counts",
    tag,
    client: "runs.counts",
    summary: "How many runs there are of each kind, status and verdict",
    description:
      "Counts the runs that fit the filters, by kind, status and verdict, so that a list can show numbers beside its filters. Of more than 100,000 runs the newest are counted.",
    scope: "read",
    query: z.strictObject(runFilter),
    response: RunCounts,
  }),
  runHistory: defineOperation({
    method: "get",
    path: "/runs/history",
    tag,
    client: "runs.history",
    summary: "Runs over time: how many, how they ended, how long they took, and what they cost",
    description:
      "Divides a time into periods, and says of the runs that were started in each how many there were, how they ended so far, how long they took, and what their models cost. For charts.",
    scope: "read",
    query: z.strictObject({
      since: runFilter.since.describe("Where the first period begins, ISO 8601. Default: a day before `until`."),
      until: runFilter.until.describe("Where the last period ends, ISO 8601. Default: now."),
      periods: z.coerce.number().int().min(1).max(200).optional().describe("Periods, 1 to 200. Default: 48."),
    }),
    response: RunHistory,
  }),
  getRun: defineOperation({
    method: "get",
    path: "/runs/{id}",
    tag,
    client: "runs.get",
    summary: "One run",
    description:
      "Shows one run: its status, verdict, times, title, tree hash and the error that ended it. The id `last` means the newest run.",
    scope: "read",
    params: RunParams,
    response: Run.extend({ error: ErrorInfo.nullable().describe("What ended the run; null if nothing went wrong.") }),
  }),
  listEvents: defineOperation({
    method: "get",
    path: "/runs/{id}/events",
    tag,
    client: "runs.events",
    summary: "Events of a run: one page, or a stream of the recorded and the new ones (Last-Event-ID)",
    description:
      "Lists what happened in a run, in order, as recorded in the ledger, in pages from either end. With `Accept: text/event-stream`, all events after `after` come, and new ones follow until the run ends.",
    scope: "read",
    params: RunParams,
    query: z.strictObject({
      after: z.coerce.number().int().min(-1).optional().describe("Only events with a `seq` above this. Default: all."),
      before: z.coerce.number().int().min(0).optional().describe("Only events with a `seq` below this. Default: all."),
      from: z
        .enum(["first", "last"])
        .optional()
        .describe(
          "`first` (default): the page begins after `after`. `last`: it ends before `before`, or with the newest.",
        ),
      limit: limitField.describe("Events on one page, 1 to 1000. Default: 1000."),
      groups: listField(EVENT_GROUP_NAMES)
        .optional()
        .describe("Only events of these groups, with commas. Each page then looks through 20,000 events at most."),
    }),
    response: EventPage,
    streams: "events",
  }),
  getRunOutput: defineOperation({
    method: "get",
    path: "/runs/{id}/output",
    tag,
    client: "runs.output",
    summary: "What a run that is under way has printed so far",
    description:
      "Shows what the code of a run that has not ended has printed so far, at most a second old, whichever process runs it. Empty for a run that has ended: its output is on record, in the event `output.recorded`.",
    scope: "read",
    params: RunParams,
    response: z.object({
      stdout: z.string().describe("The beginning of standard output, at most 65,536 characters."),
      stderr: z.string().describe("The beginning of standard error, at most 65,536 characters."),
      isCut: z.boolean().describe("True: the code has printed more than that."),
    }),
  }),
  cancelRun: defineOperation({
    method: "post",
    path: "/runs/{id}/cancel",
    tag,
    client: "runs.cancel",
    summary: "End a run that is under way",
    description: "Stops a run that has not ended yet. Its sandboxes are ended, and nothing of it is delivered.",
    scope: "run",
    params: RunParams,
    status: 202,
    response: RequestedEnd,
  }),
  giveRunInput: defineOperation({
    method: "post",
    path: "/runs/{id}/input",
    tag,
    client: "runs.input",
    summary: "Send a line to an execution that runs",
    description:
      "Sends input to an execution that was started with `interactive: true`. Its event `input.requested` says that it waits; a line that comes before waits for it.",
    scope: "run",
    params: RunParams,
    body: InputBody,
    status: 202,
    response: z.object({ runId: runIdParam, accepted: acceptedField }),
  }),
  pauseRun: defineOperation({
    method: "post",
    path: "/runs/{id}/pause",
    tag,
    client: "runs.pause",
    summary: "Pause a goal after the current step",
    description: "Lets a goal finish its current step, and stops it there. `POST /runs/{id}/resume` continues it.",
    scope: "run",
    params: RunParams,
    status: 202,
    response: RequestedEnd,
  }),
  resumeRun: defineOperation({
    method: "post",
    path: "/runs/{id}/resume",
    tag,
    client: "runs.resume",
    summary: "Continue a goal that was paused or interrupted",
    description:
      "Continues a goal that was paused or interrupted. Steps that are recorded in the ledger are not done again.",
    scope: "run",
    params: RunParams,
    body: ResumeBody,
    status: 202,
    response: Run,
  }),
  continueFrom: defineOperation({
    method: "post",
    path: "/runs/{id}/from",
    tag,
    client: "runs.from",
    summary: "Do a goal again from one of its tasks on, also with another model",
    description:
      "Starts a new run that takes over what a goal that has ended proved before a task. The task, and all that depend on it, are done again by a model. `GET /runs/{id}/events` of the new run follows it.",
    scope: "run",
    params: RunParams,
    body: z.strictObject({
      task: TaskId.describe("Id of the task that is done again, as the plan has it."),
      model: modelField.describe("Another model than that of the run. Default: the same."),
      apply: applyField,
      budget: budgetField,
    }),
    status: 202,
    response: Run,
    idempotent: true,
  }),
} as const;
