import { resolve } from "node:path";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { RunFlags } from "../read-run-policy.ts";
import { renderReplay } from "../render/render-replay.ts";
import { resolveRunId } from "../resolve-run-id.ts";
import { jsonOption } from "../run-flags.ts";
import { useDock } from "../use-dock.ts";
import { watchInterrupts } from "../watch-interrupts.ts";

interface ReplayFlags extends RunFlags {
  workspace?: string;
}

const HELP = `
The recorded answers take the model's place; everything else happens again, in fresh sandboxes. Nothing is delivered.
Exit status: 0 only if every step came out as it was recorded.

Examples:
  $ drydock replay run_01m7…
  $ drydock run --from run_01m7… --task fix --model anthropic/claude-sonnet-5   go on live from a task instead`;

export function defineCommand(program: Command, context: CommandContext): void {
  const { terminal } = context;
  program
    .command("replay")
    .summary("execute a run again from its record, and compare")
    .description(
      "Executes a run of `drydock run` again, without a model, and names every step that comes out differently.",
    )
    .argument("<id>", "the run")
    .option("--workspace <dir>", "a directory in the state in which the run found its own")
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .action(async (id: string, { workspace, json }: ReplayFlags) => {
      using interrupts = watchInterrupts();
      const signal = AbortSignal.any([interrupts.signal, terminal.closed]);
      const result = await useDock(
        async (dock) => {
          const runId = await resolveRunId(dock.runs, id);
          return dock.goals.replay(runId, {
            signal,
            ...(workspace !== undefined && { workspace: resolve(workspace) }),
          });
        },
        { warm: 1 },
      );
      context.status = result.ok ? 0 : 1;
      terminal.out(json ? `${JSON.stringify(result)}\n` : renderReplay(result, terminal.outColors));
    });
}
