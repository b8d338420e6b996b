import type { Command } from "commander";
import type { Dock } from "../../../../app/index.ts";
import { useDock } from "../../../terminal/use-dock.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";
import { resolveRunId } from "../../resolve-run-id.ts";

/** Requests to a run that is under way, from any other terminal. */
export function defineControl(runs: Command, { terminal }: CommandContext): void {
  const ask = async (
    typed: string,
    json: boolean | undefined,
    word: string,
    act: (dock: Dock, runId: string) => Promise<void>,
  ) => {
    const { runId, status } = await useDock(async (dock) => {
      const found = await resolveRunId(dock.runs, typed);
      await act(dock, found);
      return { runId: found, status: (await dock.runs.get(found)).status };
    });
    const next =
      status === "running" || status === "cancelled" ? "" : `; continue it with drydock run --resume ${runId}`;
    terminal.out(
      json ? `${JSON.stringify({ runId, status, asked: word })}\n` : `${word}: ${runId} (${status}${next})\n`,
    );
  };
  runs
    .command("pause")
    .description("Pauses a goal after the current step; drydock run --resume continues it.")
    .argument("<id>", "the run")
    .addOption(jsonOption())
    .action((id: string, { json }: RunFlags) => ask(id, json, "pause", (dock, runId) => dock.goals.pause(runId)));
  runs
    .command("cancel")
    .description(
      "Stops a run that has not ended: a goal, task, workflow, agent or call of an extension, in any process.",
    )
    .argument("<id>", "the run")
    .addOption(jsonOption())
    .action((id: string, { json }: RunFlags) => ask(id, json, "cancel", (dock, runId) => dock.runs.cancel(runId)));
  runs
    .command("retry")
    .description("Repeats one task, and all that depend on it, of a run that has not ended.")
    .argument("<id>", "the run")
    .requiredOption("--task <id>", "the task")
    .addOption(jsonOption())
    .action((id: string, { json, task }: RunFlags & { task: string }) =>
      ask(id, json, "retry", (dock, runId) => dock.goals.retry(runId, task)),
    );
}
