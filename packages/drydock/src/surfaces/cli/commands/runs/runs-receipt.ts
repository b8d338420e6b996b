import { resolve } from "node:path";
import type { Command } from "commander";
import { useDock } from "../../../terminal/use-dock.ts";
import { writeOut } from "../../../terminal/write-out.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";
import { resolveRunId } from "../../resolve-run-id.ts";

interface ReceiptFlags extends RunFlags {
  out?: string;
  withRecord?: boolean;
}

export function defineReceipt(runs: Command, { terminal }: CommandContext): void {
  runs
    .command("receipt")
    .description("Writes a signed receipt of what a run's checks proved. Others can verify it without this home.")
    .argument("<id>", "the run")
    .option("--out <file>", "write it to this file; without it, to run_ID.intoto.jsonl here, or to a pipe")
    .option("--with-record", "add what is needed to repeat the run: its events, answers and files, as recorded")
    .addOption(jsonOption())
    .action(async (id: string, { out, withRecord, json }: ReceiptFlags) => {
      const { runId, text, keyId, notes } = await useDock(async ({ runs: ledger }) => {
        return ledger.receipt(await resolveRunId(ledger, id), { withRecord });
      });
      for (const note of json ? [] : notes) terminal.err(`${note}\n`);
      const file = out ?? (json || terminal.isOutputTerminal ? `${runId}.intoto.jsonl` : undefined);
      if (file === undefined) {
        terminal.out(text);
        return;
      }
      const path = resolve(file);
      await writeOut(path, text, withRecord ? 0o600 : 0o644);
      const summary = { runId, file: path, keyId, bytes: Buffer.byteLength(text), notes };
      terminal.out(json ? `${JSON.stringify(summary)}\n` : `${path}, signed by ${keyId}\n`);
    });
}
