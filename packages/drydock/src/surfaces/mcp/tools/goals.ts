import { CheckEntry, RunStatus, TaskStatus, Verdict } from "@drydock/protocol";
import * as z from "zod";
import { requireWorkspace } from "../allowed-workspace.ts";
import { defineTool, type Tool } from "../define-tool.ts";
import { jsonOr } from "../json-input.ts";
import { type McpContext, rememberRun } from "../mcp-context.ts";
import { watchGoal } from "../watch-goal.ts";
import { policyInput } from "./execute.ts";

export function createGoalTools(context: McpContext): Tool[] {
  const { dock, options } = context;
  return [
    defineTool({
      name: "run_goal",
      title: "Run a goal",
      description:
        "Turns a goal into a plan with checks, works in the sandbox, proves the result by the checks, and only then changes the workspace, all at once. Takes minutes; progress is reported, and cancelling stops it. `verdict` is what the checks proved: only `passed` is proved.",
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
      input: z.strictObject({
        goal: z.string().min(1).optional().describe("One sentence; a model plans it. Either this or `plan`"),
        plan: jsonOr(z.record(z.string(), z.unknown()))
          .optional()
          .describe("A plan of tasks with checks, carried out as it is. Either this or `goal`"),
        workspace: z.string().optional().describe("The directory to work on. Default: the server's first workspace"),
        apply: z
          .enum(["auto", "never"])
          .optional()
          .describe("auto (default): changes that passed go into the workspace; never: they wait for run_apply"),
        checks: jsonOr(z.array(CheckEntry).max(1000))
          .optional()
          .describe("What the result must pass, whatever the plan says: command lines such as pytest -q, or checks"),
        minStrength: z
          .number()
          .min(0)
          .max(1)
          .optional()
          .describe("The share of small faults in the change that the checks must notice. Default: not demanded"),
        policy: policyInput,
      }),
      output: {
        runId: z.string(),
        status: RunStatus,
        verdict: Verdict,
        treeHash: z.string().nullable(),
        reason: z.string(),
        tasks: z.record(z.string(), TaskStatus),
        delivery: z.enum(["applied", "kept", "nothing"]),
        notes: z.array(z.string()),
      },
      async run({ workspace, ...request }, { signal, progress }) {
        const directory = await requireWorkspace(options, workspace);
        const result = await dock.goals.run({
          ...request,
          workspace: directory,
          model: options.model,
          planSource: "mcp",
          byModel: true,
          signal,
          onEvent: watchGoal(progress),
        });
        rememberRun(context, result.runId);
        const { error, ...value } = result;
        const tasks = Object.entries(result.tasks).map(([id, status]) => `${id}: ${status}`);
        const head = `${result.status}, verdict ${result.verdict}, changes ${result.delivery}. ${result.reason}`;
        return { error, value, text: [head, ...tasks, ...result.notes].join("\n") };
      },
    }),
  ];
}
