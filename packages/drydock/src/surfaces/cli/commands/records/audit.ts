import { countWord } from "@drydock/protocol";
import type { Command } from "commander";
import { useRecords } from "../../../terminal/use-dock.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption, parseLimit } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";
import { nextPage } from "../../next-page.ts";
import { readFileOrHash } from "../../read-file-or-hash.ts";
import { renderAudit } from "../../render/render-audit.ts";
import { renderHistory } from "../../render/render-history.ts";
import { writeExport } from "../../write-export.ts";
import { defineAnchor } from "./audit-anchor.ts";

const HELP = `
Examples:
  $ drydock audit verify
  $ drydock audit anchor --file /mnt/elsewhere/heads.jsonl
  $ drydock audit verify --expect /mnt/elsewhere/heads.jsonl
  $ drydock audit export --out ledger.jsonl
  $ drydock audit list --extension curl --limit 5`;

interface ListFlags extends RunFlags {
  extension?: string;
  session?: string;
  user?: string;
  limit: number;
  cursor?: string;
}

export function defineCommand(program: Command, context: CommandContext): void {
  const { terminal } = context;
  const audit = program
    .command("audit")
    .summary("check that the ledger is unchanged: verify, anchor, export, list")
    .description("Checks that nothing in the ledger was changed, removed or inserted.")
    .addHelpText("afterAll", HELP);
  audit
    .command("verify")
    .description("Checks the whole hash chain. Exit status 1, with the first problem, if it is broken.")
    .option("--expect <head>", "a file of anchors, a receipt, or a hash that the chain must still contain")
    .addOption(jsonOption())
    .action(async ({ json, expect }: RunFlags & { expect?: string }) => {
      const expected = expect === undefined ? undefined : await readFileOrHash(expect);
      const report = await useRecords((dock) => dock.audit.verify({ expect: expected }));
      context.status = report.ok ? 0 : 1;
      terminal.out(json ? `${JSON.stringify(report)}\n` : renderAudit(report, terminal.outColors));
    });
  audit
    .command("export")
    .description("Prints the whole ledger as JSON lines.")
    .option("--out <file>", "write to this file")
    .addOption(jsonOption())
    .action(async ({ out, json }: RunFlags & { out?: string }) => {
      const lines = await useRecords((dock) => writeExport(dock.audit.export(), out, terminal));
      if (out === undefined) return;
      terminal.out(
        json ? `${JSON.stringify({ file: out, lines })}\n` : `${countWord(lines, "line")} written to ${out}\n`,
      );
    });
  defineAnchor(audit, context);
  defineList(audit, context);
}

function defineList(audit: Command, { terminal }: CommandContext): void {
  audit
    .command("list")
    .description("Lists calls of extensions, the newest first: by whom, with which result, how long.")
    .option("--extension <id>", "only calls of this extension")
    .option("--session <id>", "only calls in this session")
    .option("--user <name>", "only calls on behalf of this user")
    .option("--limit <count>", "how many at most", parseLimit, 20)
    .option("--cursor <cursor>", "continue after an earlier page of the list")
    .addOption(jsonOption())
    .action(async ({ extension, session, user, limit, cursor, json }: ListFlags) => {
      const page = await useRecords((dock) => dock.extensions.history({ extension, session, user, limit, cursor }));
      terminal.out(json ? `${JSON.stringify(page)}\n` : renderHistory(page.runs, terminal));
      if (json || page.cursor === null) return;
      terminal.err(nextPage("drydock audit list", { extension, session, user, limit }, page.cursor));
    });
}
