import * as z from "zod";
import {
  AppendResults,
  ControlledRun,
  ControlledState,
  FinalizeRun,
  HostRun,
  NewControlledRun,
} from "../../host/index.ts";
import { Run, RunEvent, RunStatus } from "../../run/run.ts";
import { defineOperation } from "../operation.ts";
import { cursorField, limitField, nextCursor, runIdParam } from "../request-fields.ts";

const tag = "run control";
const RunParams = z.object({ id: runIdParam });

/** Runs of agents, for platforms that carry them out or watch them. */
export const HOST_RUNS = {
  createHostRun: defineOperation({
    method: "post",
    path: "/host/runs",
    tag,
    client: "host.runs.create",
    summary: "Create a run that the caller carries out",
    description:
      "Records an event and a run for it, with the grants of an agent as they are now. The caller appends results and finalizes it, with the token of the answer.",
    scope: "admin",
    body: NewControlledRun,
    status: 201,
    response: ControlledRun,
  }),
  listHostRuns: defineOperation({
    method: "get",
    path: "/host/runs",
    tag,
    client: "host.runs.list",
    summary: "Runs of agents, the newest first",
    description: "Lists the runs of agents in pages, the newest first.",
    scope: "read",
    query: z.strictObject({
      limit: limitField.describe("Runs on one page, 1 to 1000. Default: 50."),
      cursor: cursorField,
      status: RunStatus.optional().describe("Only runs with this status."),
    }),
    response: z.object({ runs: z.array(Run).describe("One page of runs."), cursor: nextCursor }),
  }),
  getHostRun: defineOperation({
    method: "get",
    path: "/host/runs/{id}",
    tag,
    client: "host.runs.get",
    summary: "One run of an agent",
    description:
      "Shows a run of an agent: its status, its event, its agent, its conversation and the error that ended it.",
    scope: "read",
    params: RunParams,
    response: HostRun,
  }),
  listHostRunEvents: defineOperation({
    method: "get",
    path: "/host/runs/{id}/events",
    tag,
    client: "host.runs.events",
    summary: "Events of a run of an agent",
    description: "Lists what is on record of a run of an agent, in order. `GET /runs/{id}/events` streams the same.",
    scope: "read",
    params: RunParams,
    query: z.strictObject({
      after: z.coerce.number().int().min(-1).optional().describe("Only events with a `seq` above this. Default: all."),
    }),
    response: z.object({ events: z.array(RunEvent).describe("The run's events in order, at most 1000.") }),
  }),
  cancelHostRun: defineOperation({
    method: "post",
    path: "/host/runs/{id}/cancel",
    tag,
    client: "host.runs.cancel",
    summary: "End a run of an agent",
    description: "Ends a run of an agent that is under way. Its runner is told, and loses its rights at once.",
    scope: "run",
    params: RunParams,
    status: 202,
    response: z.object({ runId: runIdParam, asked: z.literal("cancel").describe("The run ends shortly after.") }),
  }),
  appendResults: defineOperation({
    method: "post",
    path: "/host/runs/{id}/results",
    tag,
    client: "host.runs.append",
    summary: "Append results to a run that the caller carries out",
    description:
      "Appends results, which take effect as those of a runner. A result is known by its `sequence`: repeated with the same content, it changes nothing; with another, it is refused. So is a new one after the end.",
    scope: "run",
    params: RunParams,
    body: AppendResults,
    response: ControlledState,
  }),
  finalizeRun: defineOperation({
    method: "post",
    path: "/host/runs/{id}/finalize",
    tag,
    client: "host.runs.finalize",
    summary: "End a run that the caller carries out",
    description: "Ends the run, exactly once. The same request again changes nothing; another one is refused.",
    scope: "run",
    params: RunParams,
    body: FinalizeRun,
    response: ControlledState,
  }),
} as const;
