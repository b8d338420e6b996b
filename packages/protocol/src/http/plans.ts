import * as z from "zod";
import { PlanView } from "../goal-events.ts";
import { Plan } from "../plan.ts";
import { Run } from "../run/run.ts";
import { defineOperation } from "./operation.ts";
import { budgetField, modelField, policyField, runIdParam, workspaceField } from "./request-fields.ts";

const RunParams = z.object({ id: runIdParam });
const tag = "plans";

export const PLANS = {
  createPlan: defineOperation({
    method: "post",
    path: "/plans",
    tag,
    client: "plans.create",
    summary: "Make a plan for a goal, and carry nothing out",
    description:
      "A model, or repair where none is set up, makes a plan of tasks and checks for a goal. Nothing is carried out. The plan can be changed and given to `POST /runs`.",
    scope: "run",
    body: z.strictObject({
      goal: z.string().min(1).describe("What to achieve, in one sentence."),
      workspace: workspaceField.describe("The directory that the plan is for, as an absolute path. It is not changed."),
      model: modelField,
      policy: policyField,
      budget: budgetField,
    }),
    response: z.object({
      runId: runIdParam.describe("Id of the run in which the plan was made, `run_…`."),
      plan: Plan.describe("The plan: its goal and its tasks with their checks."),
    }),
    streams: "calls",
    idempotent: true,
  }),
  getPlan: defineOperation({
    method: "get",
    path: "/runs/{id}/plan",
    tag,
    client: "plans.get",
    summary: "The plan of a run, and whether it waits for a review",
    description: "Shows the plan of a goal's run. `state` is `proposed` while the run waits for a review of it.",
    scope: "read",
    params: RunParams,
    response: PlanView,
  }),
  reviewPlan: defineOperation({
    method: "post",
    path: "/runs/{id}/plan",
    tag,
    client: "plans.review",
    summary: "Approve, edit or reject the plan that a run waits with",
    description:
      "Decides about the plan of a run that was started with `reviewPlan: true`. The run then goes on in the background, or ends with `policy.approval_denied`. An edited plan that is not valid is refused, and the run goes on waiting.",
    scope: "run",
    params: RunParams,
    body: z.strictObject({
      decision: z.enum(["approve", "reject"]).describe("Whether the plan is carried out."),
      plan: Plan.optional().describe("Carried out in the place of the proposed plan. Only with `approve`."),
      reason: z.string().max(10_000).optional().describe("Why the plan is rejected, for the record."),
      model: modelField.describe("Another model than the run was started with. Default: the same."),
    }),
    status: 202,
    response: Run,
  }),
} as const;
