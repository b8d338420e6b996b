import { resolve } from "node:path";
import { REPORT_FORMATS, type ReportFormat } from "@drydock/protocol";
import { type Command, Option } from "commander";
import { useRecords } from "../../../terminal/use-dock.ts";
import { writeOut } from "../../../terminal/write-out.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";
import { resolveRunId } from "../../resolve-run-id.ts";

interface ReportFlags extends RunFlags {
  format: ReportFormat;
  out?: string;
  directory?: string;
}

const ENDINGS: Record<ReportFormat, string> = { html: "html", junit: "xml", sarif: "sarif" };

export function defineReport(runs: Command, { terminal }: CommandContext): void {
  runs
    .command("report")
    .summary("Writes one page about a run, or its checks as JUnit XML or SARIF.")
    .description(
      "Writes one HTML page about a run: goal, plan, attempts, diffs, checks, cost. Or only its checks, for other tools.",
    )
    .argument("<id>", "the run")
    .addOption(new Option("--format <format>", "format of the report").choices(REPORT_FORMATS).default("html"))
    .option("--out <file>", "write it to this file; without it, to run_ID.html (.xml, .sarif) here, or to a pipe")
    .option("--directory <dir>", "write the readable directory (plan, prompts, answers, diffs) there as well")
    .addOption(jsonOption())
    .action(async (id: string, { format, out, directory, json }: ReportFlags) => {
      const { runId, page, records } = await useRecords(async ({ runs: ledger }) => {
        const found = await resolveRunId(ledger, id);
        const written = directory === undefined ? null : await ledger.writeRecords(found, resolve(directory));
        return { runId: found, page: await ledger.report(found, { format, root: process.cwd() }), records: written };
      });
      if (records?.warning) terminal.err(`${records.warning}\n`);
      // A page is for a browser: on a terminal it goes to a file unless somebody reads it.
      const file = out ?? (json || terminal.isOutputTerminal ? `${runId}.${ENDINGS[format]}` : undefined);
      if (file === undefined) {
        terminal.out(page);
        return;
      }
      const path = resolve(file);
      await writeOut(path, page, 0o600);
      const summary = { runId, file: path, bytes: Buffer.byteLength(page), directory: records?.directory ?? null };
      terminal.out(json ? `${JSON.stringify(summary)}\n` : `${path}\n`);
    });
}
