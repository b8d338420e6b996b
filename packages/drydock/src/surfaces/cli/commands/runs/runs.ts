import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { EXIT_STATUS, RunKind, RunStatus, Verdict } from "@drydock/protocol";
import { type Command, Option } from "commander";
import { useRecords } from "../../../terminal/use-dock.ts";
import { watchInterrupts } from "../../../terminal/watch-interrupts.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption, parseLimit } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";
import { followEvents } from "../../follow-events.ts";
import { nextPage } from "../../next-page.ts";
import { readCosts, readUsed } from "../../read-costs.ts";
import { renderEvents } from "../../render/render-events.ts";
import { hasLastWords, renderLastWords } from "../../render/render-last-words.ts";
import { renderDiff, renderRun, renderRuns } from "../../render/render-runs.ts";
import { resolveRunId } from "../../resolve-run-id.ts";
import { defineArtifacts } from "./runs-artifacts.ts";
import { defineControl } from "./runs-control.ts";
import { defineDelivery } from "./runs-delivery.ts";
import { defineReceipt } from "./runs-receipt.ts";
import { defineReport } from "./runs-report.ts";

interface ListFlags extends RunFlags {
  limit: number;
  cursor?: string;
  status?: RunStatus;
  verdict?: Verdict;
  kind?: RunKind;
  workspace?: string;
  complete?: boolean;
}

const HELP = `
An id may be shortened to its end, as lists show it, or to its beginning, as long as it is the only one. \`last\` is the newest run.

Examples:
  $ drydock runs list --status failed --limit 5
  $ drydock runs list --kind goal --verdict passed --workspace .
  $ drydock runs show last
  $ drydock runs events run_01ab --follow --json
  $ drydock runs diff run_01ab | git apply
  $ drydock runs artifacts run_01ab --out figures
  $ drydock runs report run_01ab --out report.html
  $ drydock runs receipt run_01ab --out receipt.intoto.jsonl
  $ drydock runs apply run_01ab
  $ drydock runs revert run_01ab`;

export function defineCommand(program: Command, context: CommandContext): void {
  const runs = program
    .command("runs")
    .summary("runs and their changes: list, show, events, diff, artifacts, report, receipt, apply, revert")
    .description("Shows recorded runs, and delivers or discards their changes.")
    .addHelpText("afterAll", HELP);
  defineList(runs, context);
  defineShow(runs, context);
  defineEvents(runs, context);
  defineDiff(runs, context);
  defineArtifacts(runs, context);
  defineReport(runs, context);
  defineReceipt(runs, context);
  defineDelivery(runs, context);
  defineControl(runs, context);
}

function defineList(runs: Command, { terminal }: CommandContext): void {
  runs
    .command("list")
    .description("Lists runs, the newest first.")
    .option("--limit <count>", "how many at most", parseLimit, 20)
    .option("--cursor <cursor>", "continue after an earlier page of the list")
    .addOption(new Option("--status <status>", "only runs with this status").choices(RunStatus.options))
    .addOption(new Option("--verdict <verdict>", "only runs with this verdict").choices(Verdict.options))
    .addOption(new Option("--kind <kind>", "only runs of this kind").choices(RunKind.options))
    .option("--workspace <dir>", "only runs on this directory")
    .addOption(jsonOption())
    .addOption(new Option("--complete", "print ids, each with what it is, for a shell").hideHelp())
    .action(async ({ limit, cursor, status, verdict, kind, workspace, json, complete }: ListFlags) => {
      const place = workspace === undefined ? undefined : await realpath(workspace).catch(() => resolve(workspace));
      const [page, costs] = await useRecords(async (dock) => {
        const found = await dock.runs.list({ limit, cursor, status, verdict, kind, workspace: place });
        return [found, json || complete ? new Map() : await readCosts(dock.runs, found.runs)] as const;
      });
      if (complete) {
        if (page.runs.length > 0) terminal.out("last\tthe newest run\n");
        for (const run of page.runs) terminal.out(`${run.id}\t${run.kind} ${run.status} ${run.createdAt}\n`);
        return;
      }
      terminal.out(json ? `${JSON.stringify(page)}\n` : renderRuns(page.runs, terminal, costs));
      if (json || page.cursor === null) return;
      terminal.err(nextPage("drydock runs list", { limit, status, verdict, kind, workspace }, page.cursor));
    });
}

function defineShow(runs: Command, { terminal }: CommandContext): void {
  runs
    .command("show")
    .description("Shows one run: verdict, checks, delivery of its changes, artifacts.")
    .argument("<id>", "the run")
    .addOption(jsonOption())
    .action(async (id: string, { json }: RunFlags) => {
      const colors = terminal.outColors;
      const [run, events] = await useRecords(async ({ runs: ledger }) => {
        const runId = await resolveRunId(ledger, id);
        const run = await ledger.get(runId);
        const spent = await readUsed(ledger, run);
        const shown = { ...run, spent, artifacts: await ledger.artifacts(runId), ...(await ledger.findings(runId)) };
        return [shown, hasLastWords(run) ? await ledger.events(runId) : []] as const;
      });
      terminal.out(json ? `${JSON.stringify(run)}\n` : renderRun(run, colors) + renderLastWords(events, colors));
    });
}

function defineEvents(runs: Command, context: CommandContext): void {
  const { terminal } = context;
  runs
    .command("events")
    .description("Prints what happened in a run.")
    .argument("<id>", "the run")
    .option("--follow", "keep printing new events until the run ends; JSON lines with --json")
    .addOption(jsonOption())
    .action(async (id: string, { follow, json }: RunFlags & { follow?: boolean }) => {
      using interrupts = watchInterrupts();
      const signal = AbortSignal.any([interrupts.signal, terminal.closed]);
      await useRecords(async ({ runs: ledger }) => {
        const runId = await resolveRunId(ledger, id);
        if (!follow) {
          const events = await ledger.events(runId);
          terminal.out(json ? `${JSON.stringify(events)}\n` : renderEvents(events, terminal));
          return;
        }
        for await (const events of followEvents(ledger, runId, signal)) {
          const lines = events.map((event) => `${JSON.stringify(event)}\n`).join("");
          terminal.out(json ? lines : renderEvents(events, terminal));
        }
        if (interrupts.signal.aborted) context.status = EXIT_STATUS["run.cancelled"];
      });
    });
}

function defineDiff(runs: Command, { terminal }: CommandContext): void {
  runs
    .command("diff")
    .description("Prints what a run changed, as a unified diff.")
    .argument("<id>", "the run")
    .addOption(jsonOption())
    .action(async (id: string, { json }: RunFlags) => {
      const [runId, diff] = await useRecords(async ({ runs: ledger }) => {
        const found = await resolveRunId(ledger, id);
        return [found, await ledger.diff(found)];
      });
      terminal.out(json ? `${JSON.stringify({ runId, diff })}\n` : renderDiff(diff, terminal));
    });
}
