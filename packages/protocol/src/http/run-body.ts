import * as z from "zod";
import { CheckEntry } from "../check-entry.ts";
import { Plan, TaskId } from "../plan.ts";
import { ReviewComment } from "../review-comment.ts";
import { CapabilityBody } from "./capabilities.ts";
import { ExecBody } from "./executions.ts";
import { budgetField, modelField, policyField, workspaceField } from "./request-fields.ts";
import { AgentBody, TaskBody, WorkflowBody } from "./tasks.ts";

export const applyField = z
  .enum(["auto", "never"])
  .optional()
  .describe(
    "What happens to changes that passed: `auto` delivers them, `never` keeps them for `apply`. Default: auto.",
  );

const staleFields = {
  staleSeconds: z
    .number()
    .nonnegative()
    .optional()
    .describe("Seconds without progress after which a task is stale; 0: never. Default: as configured, else 3600."),
  staleAutoReset: z
    .boolean()
    .optional()
    .describe("True: start a stale task again; false: pause the run. Default: as configured, else false."),
};

function ofKind<K extends string>(kind: K, meaning: string) {
  return z.literal(kind).describe(meaning);
}

/** How work on a workspace is done, whatever it is. */
const workFields = {
  workspace: workspaceField.describe("The directory to work on, as an absolute path. Changed only if the checks pass."),
  model: modelField.describe(
    "The model as `provider/name`, several with commas as fallbacks; or `repair`, a search without a language model. Default: as the server is configured, and `repair` where no model is.",
  ),
  thenRepair: z
    .boolean()
    .optional()
    .describe("Whether repair searches for a change where the model's last attempt failed. Default: false."),
  bestOf: z
    .number()
    .int()
    .min(1)
    .max(16)
    .optional()
    .describe("Attempts of the model side by side, of which the best that passed is delivered. Default: 1."),
  repair: z
    .strictObject({
      seconds: z.number().positive().max(86_400).optional().describe("Time that the search may take. Default: 60."),
      candidates: z.number().int().min(1).optional().describe("Changes that it may try. Default: 20,000."),
      seed: z.number().int().min(0).optional().describe("Order of equally likely changes. Default: 1."),
    })
    .optional()
    .describe("Bounds of a search for a repair."),
  apply: applyField,
  branch: z.string().min(1).optional().describe("A new git branch to commit the result on, instead of changing files."),
  policy: policyField,
  way: z
    .enum(["tools", "writes"])
    .optional()
    .describe(
      "How the model works: `tools` reads, edits and runs in a loop; `writes` answers once with all files. Default: tools.",
    ),
  budget: budgetField,
  ...staleFields,
  checks: z
    .array(CheckEntry)
    .max(1000)
    .optional()
    .describe("What the result must pass, whatever the plan says: command lines such as `pytest -q`, or checks."),
  mayChange: z
    .array(z.string().min(1))
    .max(1000)
    .optional()
    .describe("Globs of tests and their inputs that the run may change. Default: none."),
  minStrength: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe("The share of small faults in the change that the checks must notice, 0 to 1. Default: not required."),
  reviewPlan: z
    .boolean()
    .optional()
    .describe(
      "True: the run pauses with its plan, until `POST /runs/{id}/plan` approves, edits or rejects it. Default: false.",
    ),
};

/** What is wanted: a goal in words, or a plan. */
const GoalBody = z.strictObject({
  kind: ofKind("goal", "A change to a workspace, proved by checks."),
  goal: z.string().min(1).optional().describe("What to achieve, in one sentence; a model plans it. Or give `plan`."),
  plan: Plan.optional().describe("Tasks with checks, which are carried out as they are. Or give `goal`."),
  follow: z.string().min(1).optional().describe("Id of a finished goal run to continue from, in the same workspace."),
  comments: z
    .array(ReviewComment)
    .min(1)
    .max(200)
    .optional()
    .describe("What a person asks for of the change of the followed run. The next attempt gets it word for word."),
  ...workFields,
});

/** Which tasks of the backlog to carry out, and how. */
export const BacklogRunBody = z.strictObject({
  tasks: z
    .array(TaskId)
    .min(1)
    .max(1000)
    .optional()
    .describe("Ids of the tasks. Default: all that wait. One that failed or was cancelled runs again if it is named."),
  ...workFields,
});

export const RunBody = z.discriminatedUnion("kind", [
  GoalBody,
  ExecBody.extend({ kind: ofKind("exec", "Code or a command, as in `POST /execute`.") }),
  TaskBody.extend({ kind: ofKind("task", "A Python task, as in `POST /tasks`.") }),
  WorkflowBody.extend({ kind: ofKind("workflow", "A Python workflow, as in `POST /workflows`.") }),
  AgentBody.extend({
    kind: ofKind("agent", "A call of an agent, as in `POST /agents/{name}`."),
    name: z.string().describe("Name of the agent, as `GET /agents` lists it."),
  }),
  CapabilityBody.extend({ kind: ofKind("capability", "A slash command, as in `POST /capabilities`.") }),
]);

export const ResumeBody = z.strictObject({
  model: modelField.describe("Another model than the run was started with. Default: the same."),
  apply: applyField,
  budget: budgetField,
  ...staleFields,
});
