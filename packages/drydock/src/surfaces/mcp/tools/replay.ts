import { countWord, type ReplayResult } from "@drydock/protocol";
import * as z from "zod";
import { allowWorkspace, requireRun } from "../allowed-workspace.ts";
import { shorten } from "../answer.ts";
import { defineTool, type Tool } from "../define-tool.ts";
import { type McpContext, rememberRun } from "../mcp-context.ts";

const MAX_FACT_CHARS = 2000;

export function createReplayTool(context: McpContext): Tool[] {
  const { dock } = context;
  return [
    defineTool({
      name: "run_replay",
      title: "Execute a run again and compare",
      description:
        "Executes a run that has ended again from its record, in fresh sandboxes, and compares. Nothing is delivered.",
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      input: z.strictObject({
        runId: z.string().describe("The id of a run that has ended, as results give it"),
        workspace: z.string().optional().describe("A directory in the state before the run. Default: the run's own"),
        network: z.boolean().optional().describe("Whether it may use the network as the run did. Default: false"),
      }),
      // The rest of the result is there as well; each field that is described takes up the model's room.
      output: {
        same: z.boolean().describe("Whether everything came out as it was recorded."),
        divergences: z.array(z.unknown()).describe("The cause first: step, what, recorded, replayed, follows."),
      },
      async run({ runId: requestedId, workspace, network }, { signal }) {
        const { id } = await requireRun(context, requestedId);
        const directory = await allowWorkspace(context.options, workspace);
        const { ok, ...replayed } = await dock.runs.replay(id, { workspace: directory, network, signal });
        if (replayed.runId !== null) rememberRun(context, replayed.runId);
        return { error: null, value: { ...replayed, same: ok }, text: describeReplay({ ok, ...replayed }) };
      },
    }),
  ];
}

/** The cause in full; what follows from it is counted. */
function describeReplay({ ok, steps, divergences, notes }: ReplayResult): string {
  const [cause, ...rest] = divergences;
  if (ok || !cause) return [`No divergence in ${countWord(steps, "step")}.`, ...notes].join("\n");
  const { step, what, recorded, replayed } = cause;
  const shown = (value: unknown) => shorten(JSON.stringify(value) ?? "nothing", MAX_FACT_CHARS);
  return [
    `${step}: ${what}`,
    `recorded: ${shown(recorded)}`,
    `replayed: ${shown(replayed)}`,
    ...(rest.length > 0 ? [`and ${rest.length} more`] : []),
    ...notes,
  ].join("\n");
}
