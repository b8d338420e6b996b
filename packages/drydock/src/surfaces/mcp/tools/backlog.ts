import { ListedTask } from "@drydock/protocol";
import * as z from "zod";
import { requireWorkspace } from "../allowed-workspace.ts";
import { defineTool, type Tool } from "../define-tool.ts";
import type { McpContext } from "../mcp-context.ts";
import { watchGoal } from "../watch-goal.ts";
import { answerGoal, goalOutput } from "./goals.ts";

const workspace = z.string().optional().describe("The directory of the tasks. Default: the server's first workspace");

/**
 * Tasks that a person has written down. None can be added here: what stands in the list counts as a person's word, its checks
 * too, and a model has run_goal.
 */
export function createBacklogTools(context: McpContext): Tool[] {
  const { dock, options } = context;
  return [
    defineTool({
      name: "task_list",
      title: "List single tasks",
      description: "Lists the tasks that people have written down for a workspace, and those of goals under way.",
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      byChoice: true,
      input: z.strictObject({ workspace }),
      output: { tasks: z.array(ListedTask).describe("The tasks with their states.") },
      async run(input) {
        const tasks = await dock.tasks.list({ workspace: await requireWorkspace(options, input.workspace) });
        const lines = tasks.map(({ id, status, title }) => `${id} ${status} ${title}`);
        return { error: null, value: { tasks }, text: lines.join("\n") || "There are no tasks." };
      },
    }),
    defineTool({
      name: "task_run",
      title: "Carry out single tasks",
      description:
        "Carries out tasks of the list as one run, proves the result by their checks, and only then changes the workspace. Takes minutes.",
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
      byChoice: true,
      input: z.strictObject({
        workspace,
        tasks: z.array(z.string()).min(1).optional().describe("Ids of the tasks. Default: all that wait"),
        apply: z
          .enum(["auto", "never"])
          .optional()
          .describe("auto (default): changes that passed are delivered; never: they wait for run_apply"),
      }),
      output: goalOutput,
      async run(input, { signal, progress }) {
        const directory = await requireWorkspace(options, input.workspace);
        const onEvent = watchGoal(progress);
        const work = { ...input, workspace: directory, model: options.model, signal, onEvent };
        return answerGoal(context, await dock.tasks.run(work));
      },
    }),
  ];
}
