import { resolve } from "node:path";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { RunFlags } from "../read-run-policy.ts";
import { resolveRunId } from "../resolve-run-id.ts";
import { jsonOption } from "../run-flags.ts";
import { useDock } from "../use-dock.ts";
import { writeOut } from "../write-out.ts";

interface ReportFlags extends RunFlags {
  out?: string;
  directory?: string;
}

export function defineReport(runs: Command, { terminal }: CommandContext): void {
  runs
    .command("report")
    .description("Writes one HTML page about a run: goal, plan, attempts, diffs, checks, cost.")
    .argument("<id>", "the run")
    .option("--out <file>", "write the page to this file; without it, to run_ID.html here, or to a pipe")
    .option("--directory <dir>", "write the readable directory (plan, prompts, answers, diffs) there as well")
    .addOption(jsonOption())
    .action(async (id: string, { out, directory, json }: ReportFlags) => {
      const { runId, page, records } = await useDock(async ({ runs: ledger }) => {
        const found = await resolveRunId(ledger, id);
        const written = directory === undefined ? null : await ledger.writeRecords(found, resolve(directory));
        return { runId: found, page: await ledger.report(found), records: written };
      });
      if (records?.warning) terminal.err(`${records.warning}\n`);
      // A page is for a browser: on a terminal it goes to a file unless somebody reads it.
      const file = out ?? (json || terminal.isOutputTerminal ? `${runId}.html` : undefined);
      if (file === undefined) {
        terminal.out(page);
        return;
      }
      const path = resolve(file);
      await writeOut(path, page, 0o600);
      const said = { runId, file: path, bytes: Buffer.byteLength(page), directory: records?.directory ?? null };
      terminal.out(json ? `${JSON.stringify(said)}\n` : `${path}\n`);
    });
}
