import { type DoctorReport, DrydockError, EXIT_STATUS } from "@drydock/protocol";
import type { Command } from "commander";
import { useDock } from "../../terminal/use-dock.ts";
import type { CommandContext } from "../command-context.ts";
import { jsonOption } from "../flags/add-flags.ts";
import type { RunFlags } from "../flags/run-flags.ts";
import { renderCluster, renderDoctor } from "../render/render-doctor.ts";

const HELP = `
Exit status: 0 if everything that runs need works, 5 if not.

Examples:
  $ drydock doctor
  $ drydock doctor --json
  $ drydock doctor --cluster`;

/** A ledger that can't even be opened is a finding as well. */
function blameLedger(error: unknown): DoctorReport {
  if (!(error instanceof DrydockError) || error.code !== "ledger.unavailable") throw error;
  const finding = { name: "ledger", state: "missing" as const, detail: error.message, remedy: error.hint };
  return { ok: false, level: "none", findings: [finding], timings: [] };
}

export function defineCommand(program: Command, context: CommandContext): void {
  const { terminal } = context;
  program
    .command("doctor")
    .summary("check what works on this machine, and what to do about the rest")
    .description("Checks what works on this machine, says what to do about the rest, and measures start times.")
    .option("--cluster", "check the workers and the queue of DATABASE_URL instead")
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .action(async ({ json, cluster }: RunFlags & { cluster?: boolean }) => {
      // What is measured is a run in a dock that stays open.
      const report = await useDock((dock) => (cluster ? dock.workers.examine() : dock.doctor()), {
        readsOnly: true,
      }).catch(blameLedger);
      context.status = report.ok ? 0 : EXIT_STATUS["sandbox.unavailable"];
      terminal.out(
        json ? `${JSON.stringify(report)}\n` : (cluster ? renderCluster : renderDoctor)(report, terminal.outColors),
      );
    });
}
