import { Attachment, Check, PythonTaskResult, PythonWorkflowResult, TaskContext } from "@drydock/protocol";
import * as z from "zod";
import { allowWorkspace } from "../allowed-workspace.ts";
import { defineTool, type Tool, type ToolCallContext } from "../define-tool.ts";
import { jsonOr } from "../json-input.ts";
import { type McpContext, rememberRun } from "../mcp-context.ts";
import { describeStep, shortenStep } from "../step-answer.ts";
import { watchTask } from "../watch-task.ts";
import { packageInputs, policyInput, SANDBOXED, workspaceInput } from "./execute.ts";

const KNOWN = new Set(Object.keys(TaskContext.shape));

/** What is not of the known shape is taken for variables: that is what those who don't know it mean. */
const contextInput = jsonOr(
  z
    .record(z.string(), z.unknown())
    .transform((value) => (Object.keys(value).some((key) => KNOWN.has(key)) ? value : { variables: value }))
    .pipe(TaskContext),
)
  .optional()
  .describe(
    'What the code should know: {"variables": {…}, "files": […], "notes": "…"}; other keys are taken for variables',
  );

export const shared = {
  context: contextInput,
  sessionId: z.string().optional().describe("An open session to work in, by the id that session_open gave"),
  workspace: workspaceInput,
  attachments: jsonOr(z.array(Attachment)).optional().describe("Files to put into the work directory first"),
  checks: jsonOr(z.array(z.record(z.string(), z.unknown())).pipe(z.array(Check)))
    .optional()
    .describe('What must hold afterwards: [{"type": "file_exists", "path": "chart.png"}]'),
  attempts: z.number().int().min(1).max(10).optional().describe("How often code may be written. Default: 3"),
  ...packageInputs,
  policy: policyInput,
};

/** As in other tools, and in results. */
export const OLD_NAMES = { session: "sessionId" };

const { ok: _taskOk, error: _taskError, ...taskOutput } = PythonTaskResult.shape;
const { ok: _flowOk, error: _flowError, ...workflowOutput } = PythonWorkflowResult.shape;

export function createPythonTaskTools(context: McpContext): Tool[] {
  const { dock, options } = context;
  const prepare = async ({ workspace }: { workspace?: string }, { signal, progress }: ToolCallContext) => ({
    workspace: await allowWorkspace(options, workspace),
    model: options.model,
    signal,
    onProgress: watchTask(progress),
  });
  return [
    defineTool({
      name: "execute_python_task",
      title: "Execute a Python task",
      description:
        "Has Drydock's own model write Python for an instruction, runs it in the sandbox, and lets it correct itself. Gives the code of each attempt, its output, its result, the variables, and the files it made; pictures are shown.",
      annotations: SANDBOXED,
      input: z.strictObject({
        instruction: z.string().min(1).describe("What the Python code should do, in plain words"),
        ...shared,
      }),
      oldNames: OLD_NAMES,
      output: taskOutput,
      async run({ instruction, sessionId: session, ...request }, call) {
        const result = await dock.executePythonTask(instruction, {
          ...request,
          ...(await prepare(request, call)),
          session,
        });
        await rememberAll(context, result);
        const { error, ok: _ok, ...value } = result;
        return { error, value: { ...value, ...shortenStep(result) }, text: describeStep(result), files: result };
      },
    }),
    defineTool({
      name: "execute_python_workflow",
      title: "Execute a Python workflow",
      description:
        "Several instructions, one after the other, that share variables and files; Drydock's own model writes the code of each. The changes of a failed step are undone. Gives a result for each step.",
      annotations: SANDBOXED,
      input: z.strictObject({
        instructions: jsonOr(z.array(z.string().min(1)).min(1)).describe(
          'What each step should do: ["Read data.csv", "Draw a chart"]',
        ),
        stopOnError: z.boolean().optional().describe("True (default): skip the steps after one that failed"),
        resumeFrom: jsonOr(
          z.strictObject({
            runId: z.string().describe("Id of the earlier workflow's run"),
            step: z.number().int().min(1).describe("The first step to do anew"),
          }),
        )
          .optional()
          .describe("Continues an earlier workflow; the steps before are taken from its record"),
        ...shared,
      }),
      oldNames: OLD_NAMES,
      output: workflowOutput,
      async run({ instructions, sessionId: session, ...request }, call) {
        const all = { ...request, ...(await prepare(request, call)), session };
        const result = await dock.executePythonWorkflow(instructions, all);
        await rememberAll(context, result);
        const { error, ok: _ok, ...value } = result;
        const steps = result.steps.map((step) => ({ ...step, ...shortenStep(step) }));
        const text = result.steps.map((step) => `${step.step}. ${step.status}: ${describeStep(step)}`).join("\n");
        return { error, value: { ...value, steps }, text, files: result };
      },
    }),
  ];
}

/** Files belong to the executions within a task, which have runs of their own. */
export async function rememberAll(
  context: McpContext,
  { runId, artifacts }: Pick<PythonTaskResult, "runId" | "artifacts">,
): Promise<void> {
  rememberRun(context, runId);
  for (const { id } of artifacts) {
    const found = await context.dock.runs.findArtifact(id);
    if (found) rememberRun(context, found.runId);
  }
}
