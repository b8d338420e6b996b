import { resolve } from "node:path";
import type { CheckEntry } from "@drydock/protocol";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { type RunFlags, readRunPolicy } from "../read-run-policy.ts";
import { renderCheck, renderVerdict } from "../render/render-verification.ts";
import { DEBUG_HELP, jsonOption } from "../run-flags.ts";
import { useDock } from "../use-dock.ts";
import { watchInterrupts } from "../watch-interrupts.ts";

interface VerifyFlags extends RunFlags {
  checks?: string;
  workspace: string;
}

const HELP = `
The directory is judged as it stands, and never changed. FILE is YAML or JSON:

  checks:
    - pytest -q
    - { type: file_exists, path: report.json }

Text is a command that must end with status 0. What the policy requires (checks.required) is
judged in any case.

Exit status: 0 if all checks passed, 1 if not.

Examples:
  $ drydock verify
  $ drydock verify --checks checks.yaml
  $ drydock verify --checks checks.yaml --workspace demo --json`;

export function defineCommand(program: Command, context: CommandContext): void {
  const { terminal } = context;
  program
    .command("verify")
    .summary("judge a directory by checks")
    .description("Judges a directory by checks, each in a fresh sandbox.")
    .option("--checks <file>", "the checks, as YAML or JSON (default: the workspace's .drydock/checks.yaml)")
    .option("--workspace <dir>", "the directory to judge", ".")
    .option("--policy <file>", "ask for the policy in this file, within what the owner's allows")
    .option("--debug", DEBUG_HELP)
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .action(async (flags: VerifyFlags) => {
      const { json, workspace } = flags;
      const checks = flags.checks === undefined ? undefined : await readChecks(flags.checks);
      const policy = await readRunPolicy(flags);
      using interrupts = watchInterrupts();
      const signal = AbortSignal.any([interrupts.signal, terminal.closed]);
      const judged = { workspace: resolve(workspace), policy };
      const result = await useDock(async (dock) => {
        const verified = await dock.verify({
          ...judged,
          checks,
          signal,
          onCheck: (check) => {
            // Whoever gave the file knows whose its checks are.
            const shown = { ...check, source: check.source === "user" ? undefined : check.source };
            if (!json) terminal.out(renderCheck(shown, terminal.outColors));
          },
        });
        if (flags.debug) await (await import("../debug/index.ts")).debugRun(terminal, dock, verified.runId, judged);
        return verified;
      });
      context.status = result.verdict === "passed" ? 0 : 1;
      terminal.out(json ? `${JSON.stringify(result)}\n` : renderVerdict(result, terminal.outColors));
    });
}

async function readChecks(file: string): Promise<readonly CheckEntry[]> {
  const { loadCheckFiles } = await import("../../../app/index.ts");
  return (await loadCheckFiles()).readCheckFile(file);
}
