import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { useDock } from "../../../terminal/use-dock.ts";
import { watchInterrupts } from "../../../terminal/watch-interrupts.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";
import { refuse } from "../../goal/refuse.ts";
import { renderReplay } from "../../render/render-replay.ts";
import { resolveRunId } from "../../resolve-run-id.ts";

interface ReplayFlags extends RunFlags {
  workspace?: string;
  network?: boolean;
  from?: string;
  model?: string;
  apply?: "auto" | "ask" | "never";
}

const HELP = `
Runs of every kind can be replayed. The recorded answers take the model's place; everything else happens again, in fresh
sandboxes. Nobody is asked, nothing is delivered, and results of tools that are functions of a program are taken from the
record. Exit status: 0 only if everything came out as it was recorded.

With --from, a new run takes over what the old one proved before that task, and does the task and all that depend on it
live, with a model; what passes is delivered as by drydock run.

Examples:
  $ drydock replay run_01m7
  $ drydock replay run_01m7 --from fix --model anthropic/claude-sonnet-4-5`;

export function defineCommand(program: Command, context: CommandContext): void {
  const { terminal } = context;
  program
    .command("replay")
    .summary("repeat a run from its record, and compare")
    .description("Repeats a run without a model, and says what came out differently, the cause first.")
    .argument("<id>", "the run")
    .option("--workspace <dir>", "a directory in the state before the run")
    .option("--network", "reach the hosts that the run's policy allowed (default: none)")
    .option("--from <task>", "continue from this task with a model, in a new run")
    .option("--model <id>", "with --from: the model to use (default: the run's)")
    .addOption(
      new Option("--apply <when>", "with --from: deliver if the checks pass").choices(["auto", "ask", "never"]),
    )
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .action(async (id: string, flags: ReplayFlags) => {
      const { workspace, network, json, from, model, apply } = flags;
      if (from !== undefined) {
        refuse(
          workspace !== undefined || network !== undefined,
          "--workspace and --network can't be combined with --from.",
          "The new run uses the old run's workspace and policy.",
        );
        const { showGoal } = await import("../../goal/show-goal.ts");
        return showGoal(context, flags, async (dock, watching) =>
          dock.goals.runFrom(await resolveRunId(dock.runs, id, "goal"), from, { model, apply, ...watching }),
        );
      }
      refuse(
        model !== undefined || apply !== undefined,
        "--model and --apply need --from TASK.",
        "A replay uses no model and delivers nothing.",
      );
      using interrupts = watchInterrupts();
      const signal = AbortSignal.any([interrupts.signal, terminal.closed]);
      const result = await useDock(
        async (dock) => {
          const runId = await resolveRunId(dock.runs, id);
          return dock.runs.replay(runId, {
            ...{ signal, network },
            ...(workspace !== undefined && { workspace: resolve(workspace) }),
          });
        },
        { warm: 1 },
      );
      context.status = result.ok ? 0 : 1;
      terminal.out(json ? `${JSON.stringify(result)}\n` : renderReplay(result, terminal.outColors));
    });
}
