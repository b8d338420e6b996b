import { AskResult } from "@drydock/protocol";
import * as z from "zod";
import { allowWorkspace } from "../allowed-workspace.ts";
import { defineTool, type Tool } from "../define-tool.ts";
import type { McpContext } from "../mcp-context.ts";
import { watchTask } from "../watch-task.ts";
import { SANDBOXED } from "./execute.ts";
import { rememberAll, shared } from "./python-tasks.ts";

const { sessionId, workspace, attachments } = shared;
const { text, runId } = AskResult.shape;

/** Short, because each client reads all tools: it can look at the run for code, tool calls and usage. */
export function createAskTool(context: McpContext): Tool {
  const { dock, options } = context;
  return defineTool({
    name: "ask",
    title: "Ask",
    description:
      "Has Drydock's own model answer a question, with Python that it runs in the sandbox. Gives the answer and the files it made; pictures are shown.",
    annotations: SANDBOXED,
    input: z.strictObject({
      words: z.string().min(1).describe("What you want to know or have, in plain words"),
      ...{ sessionId, workspace, attachments },
    }),
    output: { text, runId },
    async run({ words, sessionId: session, ...request }, { signal, progress }) {
      const place = { ...request, session, workspace: await allowWorkspace(options, request.workspace) };
      const watching = { model: options.model, signal, onProgress: watchTask(progress) };
      const result = await dock.ask(words, { ...place, ...watching });
      await rememberAll(context, result);
      return {
        error: result.error,
        value: { text: result.text, runId: result.runId },
        text: result.text,
        files: result,
      };
    },
  });
}
