import { countWord, Language, PolicyDocument } from "@drydock/protocol";
import * as z from "zod";
import type { ExecOptions } from "../../../app/index.ts";
import { allowWorkspace } from "../allowed-workspace.ts";
import { defineTool, type Tool } from "../define-tool.ts";
import { answerExecution, executionOutput } from "../execution-answer.ts";
import { jsonOr } from "../json-input.ts";
import { type McpContext, rememberRun } from "../mcp-context.ts";
import type { ProgressReporter } from "../report-progress.ts";

/** Shown as any object: the whole schema in each of the tools would take up the model's room. */
export const policyInput = jsonOr(z.record(z.string(), z.unknown()).pipe(PolicyDocument))
  .optional()
  .describe(
    'Other limits, up to the owner\'s ceiling: {"limits":{"wallSeconds":20},"network":{"allow":["api.example.org:443"]}}',
  );

export const workspaceInput = z
  .string()
  .optional()
  .describe("The directory to work in. It is never changed. Default: an empty one");

export const packageInputs = {
  requirements: jsonOr(z.array(z.string())).optional().describe('Python packages that the code needs: ["six==1.16.0"]'),
  install: z
    .boolean()
    .optional()
    .describe("True: install missing requirements, if the policy allows the package index"),
};

const stdin = z.string().optional().describe("What the program reads from standard input");

/** Nothing on this machine is changed; hosts that the owner's policy allows may be reached. */
export const SANDBOXED = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };

export function createExecuteTools(context: McpContext): Tool[] {
  const { dock, options } = context;
  return [
    defineTool({
      name: "execute_code",
      title: "Execute code",
      description:
        "Runs Python, Node or Bash code once in a fresh sandbox and returns its output, the value of the last expression (or of a variable `result`), and the files it made; pictures are shown. Nothing outside the sandbox changes. For several steps that share variables use session_open and session_exec.",
      annotations: SANDBOXED,
      input: z.strictObject({
        code: z.string().describe("The program's text"),
        language: Language.optional().describe("Language of the code. Default: python"),
        args: z.array(z.string()).optional().describe("Arguments of the program, such as sys.argv[1:]"),
        stdin,
        workspace: workspaceInput,
        ...packageInputs,
        policy: policyInput,
      }),
      output: executionOutput,
      async run({ workspace, language = "python", ...request }, { signal, progress }) {
        const directory = await allowWorkspace(options, workspace);
        const watched = { signal, ...watchExecution(progress) };
        const result = await dock.exec({
          ...request,
          language,
          workspace: directory,
          caller: context.caller,
          ...watched,
        });
        rememberRun(context, result.runId);
        return answerExecution(result);
      },
    }),
    defineTool({
      name: "run_command",
      title: "Run a command",
      description:
        "Runs one command with its arguments (no shell) in a fresh sandbox, on a copy-on-write view of the workspace. Where the owner's policy lists commands, only those run. What it changes stays in the run: run_diff shows it, run_apply delivers it.",
      annotations: SANDBOXED,
      input: z.strictObject({
        command: jsonOr(z.array(z.string()).min(1)).describe('Program and arguments: ["pytest", "-q"]'),
        stdin,
        workspace: workspaceInput,
        policy: policyInput,
      }),
      output: executionOutput,
      async run({ workspace, ...request }, { signal, progress }) {
        const directory = await allowWorkspace(options, workspace);
        const result = await dock.exec({
          ...{ ...request, workspace: directory, caller: context.caller, signal },
          ...watchExecution(progress),
        });
        rememberRun(context, result.runId);
        return answerExecution(result);
      },
    }),
  ];
}

function watchExecution(progress: ProgressReporter): Pick<ExecOptions, "onOutput" | "onReading"> {
  return {
    onOutput: progress.output,
    onReading: reportReading(progress),
  };
}

export function reportReading(progress: ProgressReporter): NonNullable<ExecOptions["onReading"]> {
  return ({ scanned, hashed }) =>
    progress.report(
      `reading the workspace: ${countWord(scanned, "entry", "entries")}, ${countWord(hashed, "file")} hashed`,
    );
}
