import { Plan } from "@drydock/protocol";
import * as z from "zod";
import { requireWorkspace } from "../allowed-workspace.ts";
import { defineTool, type Tool } from "../define-tool.ts";
import { type McpContext, rememberRun } from "../mcp-context.ts";
import { policyInput } from "./execute.ts";

export function createPlanTool(context: McpContext): Tool[] {
  const { dock, options } = context;
  return [
    defineTool({
      name: "plan_goal",
      title: "Plan a goal",
      description:
        "Makes a plan of tasks and checks for a goal, and carries nothing out. Change the plan, and give it to run_goal as `plan`.",
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
      byChoice: true,
      input: z.strictObject({
        goal: z.string().min(1).describe("What to achieve, in one sentence"),
        workspace: z.string().optional().describe("The directory to plan for. Default: the server's first workspace"),
        policy: policyInput,
      }),
      output: {
        runId: z.string().describe("Id of the run in which the plan was made."),
        plan: Plan.describe("The plan: its goal and its tasks with their checks."),
      },
      async run({ goal, workspace, policy }, { signal }) {
        const directory = await requireWorkspace(options, workspace);
        let runId = "";
        const plan = await dock.goals.plan({
          ...{ goal, policy, signal, workspace: directory, model: options.model },
          onEvent: (event) => {
            runId ||= event.runId;
          },
        });
        rememberRun(context, runId);
        const tasks = plan.tasks.map(({ id, title, checks }) => `${id}: ${title} (${checks.length} checks)`);
        return { error: null, value: { runId, plan }, text: [plan.goal, ...tasks].join("\n") };
      },
    }),
  ];
}
