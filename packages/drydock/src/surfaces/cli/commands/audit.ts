import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { RunFlags } from "../read-run-policy.ts";
import { renderAudit } from "../render/render-audit.ts";
import { jsonOption } from "../run-flags.ts";
import { useDock } from "../use-dock.ts";
import { writeExport } from "../write-export.ts";

const HELP = `
Examples:
  $ drydock audit verify
  $ drydock audit export --out ledger.jsonl`;

export function defineCommand(program: Command, context: CommandContext): void {
  const { terminal } = context;
  const audit = program
    .command("audit")
    .summary("prove that the ledger is whole: verify, export")
    .description("Proves that nothing in the ledger was changed, removed or put in.")
    .addHelpText("afterAll", HELP);
  audit
    .command("verify")
    .description("Checks the whole chain; exit status 1, and the first thing wrong, if it does not hold.")
    .addOption(jsonOption())
    .action(async ({ json }: RunFlags) => {
      const report = await useDock((dock) => dock.audit.verify());
      context.status = report.ok ? 0 : 1;
      terminal.out(json ? `${JSON.stringify(report)}\n` : renderAudit(report, terminal.outColors));
    });
  audit
    .command("export")
    .description("Prints the whole ledger as JSON lines.")
    .option("--out <file>", "write to this file")
    .addOption(jsonOption())
    .action(async ({ out, json }: RunFlags & { out?: string }) => {
      const lines = await useDock((dock) => writeExport(dock.audit.export(), out, terminal));
      if (out === undefined) return;
      terminal.out(json ? `${JSON.stringify({ file: out, lines })}\n` : `${lines} lines written to ${out}\n`);
    });
}
