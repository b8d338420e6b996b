import { countWord, Rollback, SessionInfo, SessionLanguage, StepResult } from "@drydock/protocol";
import * as z from "zod";
import { allowWorkspace } from "../allowed-workspace.ts";
import { defineTool, type Tool } from "../define-tool.ts";
import { answerExecution, executionOutput } from "../execution-answer.ts";
import { type McpContext, rememberRun } from "../mcp-context.ts";
import { policyInput, reportReading, SANDBOXED, workspaceInput } from "./execute.ts";

const sessionId = z.string().describe("The id that session_open gave");
const OLD_NAMES = { session: "sessionId" };
const { sessionId: idShape, step, kept, variables } = StepResult.shape;
const LOCAL = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };
/** Results of steps have the variables, and the list of tools is to stay small. */
const SessionFigures = SessionInfo.omit({ variables: true, limits: true });

export function createSessionTools(context: McpContext): Tool[] {
  const { dock, options } = context;
  return [
    defineTool({
      name: "session_open",
      title: "Open a session",
      description:
        "Opens an interpreter in a sandbox of its own whose variables and files last from step to step. Use session_exec for the steps and session_close when done. An unused session ends by itself.",
      annotations: LOCAL,
      input: z.strictObject({
        language: SessionLanguage.optional().describe("The interpreter's language. Default: python"),
        workspace: workspaceInput,
        policy: policyInput,
      }),
      output: SessionFigures.shape,
      async run({ workspace, ...request }, { signal, progress }) {
        const directory = await allowWorkspace(options, workspace);
        const watched = { signal, onReading: reportReading(progress) };
        const opened = await dock.sessions.open({ ...request, workspace: directory, ...watched });
        const info = SessionFigures.parse(opened.stats());
        return { error: null, value: info, text: `Session ${info.sessionId} is open (${info.language}).` };
      },
    }),
    defineTool({
      name: "session_exec",
      title: "Execute a step in a session",
      description:
        "Runs code as the next step of a session. A step that fails leaves variables and files as they were before it.",
      annotations: SANDBOXED,
      input: z.strictObject({ sessionId, code: z.string().describe("The code of the step"), policy: policyInput }),
      oldNames: OLD_NAMES,
      output: {
        ...executionOutput,
        sessionId: idShape,
        step,
        kept,
        variables,
      },
      async run({ sessionId: id, code, policy }, { signal, progress }) {
        const result = await (await dock.sessions.find(id)).exec(code, { policy, signal, onOutput: progress.output });
        rememberRun(context, result.runId);
        return answerExecution(result);
      },
    }),
    defineTool({
      name: "session_rollback",
      title: "Return to an earlier step",
      description: "Returns variables and files of a session to what they were after any earlier step.",
      annotations: { ...LOCAL, destructiveHint: true },
      input: z.strictObject({
        sessionId,
        to: step
          .nonnegative()
          .optional()
          .describe("The step to return to; 0 is before the first. Default: undo the last"),
      }),
      oldNames: OLD_NAMES,
      output: { sessionId: idShape, ...Rollback.shape },
      async run({ sessionId: id, to }, { signal }) {
        const done = await (await dock.sessions.find(id)).rollback(to, { signal });
        const text = [`Session ${id} is as it was after step ${done.step}.`, ...done.notes].join("\n");
        return { error: null, value: { sessionId: id, ...done }, text };
      },
    }),
    defineTool({
      name: "session_fork",
      title: "Copy a session",
      description:
        "Copies a Python session with its variables and files, to try several ways on side by side. Each copy is a session in a sandbox of its own: use session_exec on it, and session_close when done.",
      annotations: LOCAL,
      input: z.strictObject({
        sessionId,
        count: z.number().int().positive().optional().describe("How many copies to make. Default: 1"),
      }),
      output: { sessionId: idShape, sessions: z.array(SessionFigures).describe("The copies.") },
      async run({ sessionId: id, count }, { signal }) {
        const sessions = (await (await dock.sessions.find(id)).fork(count, { signal })).map((fork) =>
          SessionFigures.parse(fork.stats()),
        );
        const names = sessions.map((info) => info.sessionId).join("\n");
        return { error: null, value: { sessionId: id, sessions }, text: `Copies of session ${id}:\n${names}` };
      },
    }),
    defineTool({
      name: "session_list",
      title: "List sessions",
      description: "Lists the open sessions of this server, with what each has used.",
      annotations: { ...LOCAL, readOnlyHint: true, idempotentHint: true },
      input: z.strictObject({}),
      output: { sessions: z.array(SessionFigures).describe("The open sessions.") },
      async run() {
        const sessions = dock.sessions.list().map((info) => SessionFigures.parse(info));
        const lines = sessions.map((info) => `${info.sessionId} (${info.language}, ${countWord(info.steps, "step")})`);
        return { error: null, value: { sessions }, text: lines.join("\n") || "No session is open." };
      },
    }),
    defineTool({
      name: "session_close",
      title: "Close a session",
      description: "Ends a session; its variables and files are gone. What its steps did stays on record.",
      annotations: { ...LOCAL, destructiveHint: true },
      input: z.strictObject({ sessionId }),
      oldNames: OLD_NAMES,
      output: { sessionId: idShape, closed: z.boolean().describe("True once the session is closed.") },
      async run({ sessionId: id }) {
        await (await dock.sessions.find(id)).close();
        return { error: null, value: { sessionId: id, closed: true }, text: `Session ${id} is closed.` };
      },
    }),
  ];
}
