import { DrydockError, Language } from "@drydock/protocol";
import * as z from "zod";
import type { FunctionTool, ToolSource } from "../agents/agent.ts";
import { ToolAnswer } from "../agents/tool-answer.ts";
import type { ExecutionResult } from "../ports.ts";
import type { ConversationSandbox } from "./conversation-sandbox.ts";
import { describeExecution, describeOutcome } from "./describe-execution.ts";

const Code = z.strictObject({ code: z.string().min(1).describe("The whole code of this step") });
const Once = z.strictObject({
  language: Language.describe("The language of the code"),
  code: z.string().min(1).describe("The whole program"),
});
const Rollback = z.strictObject({
  to: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe("The step to return to; 0 is before the first. Default: undo the last"),
});
const Task = z.strictObject({
  instruction: z.string().min(1).describe("What the Python code should do, in plain words"),
});
const Workflow = z.strictObject({
  instructions: z.array(z.string().min(1)).min(1).max(100).describe("What each step should do, in plain words"),
});

/**
 * The tools by which a model works in the sandbox. Agents, `ask`, the REPL's chat and the OpenAI endpoint use this one
 * set; names are those of the MCP server.
 */
export function createSandboxTools(sandbox: ConversationSandbox): FunctionTool[] {
  return [
    {
      name: "session_exec",
      description:
        "Runs Python code in this conversation's sandbox session. Variables and files stay for the next step. A step that fails leaves everything as it was. Returns output, the value of the last expression, files and pictures.",
      input: Code,
      run: async ({ code }: z.infer<typeof Code>) => toAnswer(await sandbox.run(code)),
    },
    {
      name: "session_rollback",
      description: "Returns the session's variables and files to what they were after an earlier step.",
      input: Rollback,
      run: async ({ to }: z.infer<typeof Rollback>) => {
        const { step, kept } = await sandbox.rollback(to);
        return `The session is as it was after step ${step}. Steps that can be returned to: ${kept.join(", ")}.`;
      },
    },
    {
      name: "execute_code",
      description:
        "Runs a program once, in a fresh sandbox without the conversation's variables and files: Python, Node or bash.",
      input: Once,
      run: async (request: z.infer<typeof Once>) => toAnswer(await sandbox.runOnce(request)),
    },
    {
      name: "execute_python_task",
      description:
        "Has a model write Python for an instruction, runs it in the session, and lets it correct itself. For work that needs several attempts.",
      input: Task,
      run: async ({ instruction }: z.infer<typeof Task>) => {
        const outcome = await sandbox.runTask(instruction);
        return new ToolAnswer(describeOutcome(outcome), {
          failed: !outcome.ok,
          runId: outcome.attempts.at(-1)?.runId ?? null,
        });
      },
    },
    {
      name: "execute_python_workflow",
      description:
        "Several instructions, one after the other, in the session; a model writes the code of each. Stops at the first that fails.",
      input: Workflow,
      run: async ({ instructions }: z.infer<typeof Workflow>) => {
        const { ok, steps } = await sandbox.runWorkflow(instructions);
        const texts = steps.map(
          (step) => `Step ${step.step}, ${step.status}: ${step.instruction}\n${describeOutcome(step)}`,
        );
        return new ToolAnswer(texts.join("\n\n"), { failed: !ok, runId: null });
      },
    },
  ];
}

function toAnswer(execution: ExecutionResult): ToolAnswer {
  return new ToolAnswer(describeExecution(execution), { failed: !execution.ok, runId: execution.runId });
}

/**
 * The sandbox as tools of an agent: `agent({ …, tools: [sandboxTools()] })`. The agent's calls share one session, the
 * one that the call names or one of its own.
 */
export function sandboxTools(): ToolSource {
  return {
    name: "sandbox",
    async open({ host }) {
      if (host?.sandbox) return { tools: createSandboxTools(host.sandbox), close: async () => {} };
      const hint = "Call the agent on a dock: createDock() comes first.";
      throw new DrydockError("input.invalid", "The tools of the sandbox need a dock.", hint);
    },
  };
}
