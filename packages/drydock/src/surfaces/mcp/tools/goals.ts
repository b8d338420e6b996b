import {
  CheckEntry,
  describeBest,
  describeOthers,
  ExecResult,
  GoalUsage,
  REPAIR,
  RepairReport,
  Run,
  RunStatus,
  TaskStatus,
  Verdict,
} from "@drydock/protocol";
import * as z from "zod";
import type { GoalResult } from "../../../app/index.ts";
import { requireWorkspace } from "../allowed-workspace.ts";
import type { ToolAnswer } from "../answer.ts";
import { defineTool, type Tool } from "../define-tool.ts";
import { jsonOr } from "../json-input.ts";
import { type McpContext, rememberRun } from "../mcp-context.ts";
import { watchGoal } from "../watch-goal.ts";
import { policyInput } from "./execute.ts";

/** Shown as texts and objects: the schemas of all types of checks would take up the model's room. */
const checkList = z.array(z.union([z.string(), z.record(z.string(), z.unknown())]));

const input = z.strictObject({
  goal: z.string().min(1).optional().describe("What to achieve, in one sentence. Either this or `plan`"),
  plan: jsonOr(z.record(z.string(), z.unknown()))
    .optional()
    .describe('Tasks with checks: {"goal", "tasks": [{"id", "instructions", "checks"}]}. Either this or `goal`'),
  follow: z.string().optional().describe("Id of a finished goal run to continue from, in the same workspace"),
  workspace: z.string().optional().describe("The directory to work on. Default: the server's first workspace"),
  apply: z
    .enum(["auto", "never"])
    .optional()
    .describe("auto (default): changes that passed are delivered; never: they wait for run_apply"),
  checks: jsonOr(checkList.pipe(z.array(CheckEntry).max(1000)))
    .optional()
    .describe('What the result must pass: ["pytest -q", {"type": "file_exists", "path": "a.txt"}]'),
  model: z
    .literal(REPAIR)
    .optional()
    .describe("repair: search for a change without a language model. Default: as the server is configured"),
  thenRepair: z
    .boolean()
    .optional()
    .describe("Whether repair searches for a change where the model's last attempt failed. Default: false"),
  bestOf: z
    .number()
    .int()
    .min(1)
    .max(16)
    .optional()
    .describe("Attempts of the model side by side; the best that passed is delivered. Default: 1"),
  minStrength: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe("Share of small faults in the change that the checks must notice. Default: not required"),
  policy: policyInput,
});

/** What a goal's run gives back. */
export const goalOutput = {
  runId: z.string().describe("Id of the run, for run_diff and run_apply."),
  status: RunStatus,
  verdict: Verdict,
  treeHash: Run.shape.treeHash,
  reason: z.string().describe("What was proved, or why nothing was, in one sentence."),
  tasks: z.record(z.string(), TaskStatus).describe("Status of each task, by its id in the plan."),
  repairs: z.array(RepairReport).describe("What repair found, task by task; empty where a model worked."),
  usage: GoalUsage,
  costPerVerifiedUsd: z
    .number()
    .nullable()
    .describe("Cost of the run in US dollars, if the change is verified; null: it is not, or unknown."),
  delivery: z
    .enum(["applied", "kept", "nothing"])
    .describe("Where the changes are: in the workspace, kept for run_apply, or there are none."),
  notes: ExecResult.shape.notes,
};

export function createGoalTools(context: McpContext): Tool[] {
  const { dock, options } = context;
  return [
    defineTool({
      name: "run_goal",
      title: "Run a goal",
      description:
        "Turns a goal into a plan with checks, works in the sandbox, proves the result by the checks, and only then changes the workspace, all at once. Takes minutes; progress is reported, and cancelling stops it. `verdict` is what the checks proved: only `passed` is proved.",
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
      input,
      output: goalOutput,
      async run({ workspace, ...request }, { signal, progress }) {
        const directory = await requireWorkspace(options, workspace);
        const result = await dock.goals.run({
          ...request,
          workspace: directory,
          model: request.model ?? options.model,
          planSource: "mcp",
          byModel: true,
          signal,
          onEvent: watchGoal(progress),
        });
        return answerGoal(context, result);
      },
    }),
  ];
}

export function answerGoal(context: McpContext, result: GoalResult): ToolAnswer {
  rememberRun(context, result.runId);
  const { error, ...value } = result;
  const tasks = Object.entries(result.tasks).map(([id, status]) => `${id}: ${status}`);
  const head = `${result.status}, verdict ${result.verdict}, changes ${result.delivery}. ${result.reason}`;
  const others = result.repairs.flatMap((report) => describeOthers(report) ?? describeBest(report) ?? []);
  return { error, value, text: [head, ...tasks, ...others, ...result.notes].join("\n") };
}
