import { resolve } from "node:path";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { readChecks } from "../read-checks.ts";
import { type RunFlags, readRunPolicy } from "../read-run-policy.ts";
import { isBelow, renderStrength } from "../render/render-strength.ts";
import { renderCheck, renderVerdict } from "../render/render-verification.ts";
import { DEBUG_HELP, jsonOption, parseCount, parseShare } from "../run-flags.ts";
import { useDock } from "../use-dock.ts";
import { readStrengthFlags, showStrength } from "../verify-strength.ts";
import { watchInterrupts } from "../watch-interrupts.ts";

interface VerifyFlags extends RunFlags {
  checks: string;
  workspace: string;
  strength?: boolean;
  since?: string;
  minStrength?: number;
  mutants?: number;
  seed?: number;
}

const HELP = `
The directory is judged as it stands, and never changed. FILE is YAML or JSON:

  checks:
    - { type: file_exists, path: report.json }
    - { type: command, cmd: pytest -q }

With --strength, small faults (mutants) are put into the source, one at a time, and the checks
are run on each. The strength is the share that they notice. Those that they don't are shown.

Exit status: 0 if all checks passed, 1 if not, or if the strength is below --min-strength.

Examples:
  $ drydock verify --checks checks.yaml
  $ drydock verify --checks checks.yaml --workspace demo --json
  $ drydock verify --checks checks.yaml --strength --since main --min-strength 0.8`;

export function defineCommand(program: Command, context: CommandContext): void {
  const { terminal } = context;
  program
    .command("verify")
    .summary("judge a directory by checks")
    .description("Judges a directory by checks, each in a fresh sandbox.")
    .requiredOption("--checks <file>", "the checks, as YAML or JSON")
    .option("--workspace <dir>", "the directory to judge", ".")
    .option("--strength", "measure how many small faults in the source the checks notice")
    .option("--since <rev>", "only in lines that changed since this git revision (with --strength)")
    .option("--min-strength <share>", "fail below this share, from 0 to 1 (with --strength)", parseShare)
    .option("--mutants <n>", "try at most so many faults (with --strength; default: 100)", parseCount)
    .option("--seed <n>", "draw another sample of them (with --strength; default: 1)", parseCount)
    .option("--policy <file>", "ask for the policy in this file, within what the owner's allows")
    .option("--debug", DEBUG_HELP)
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .action(async (flags: VerifyFlags) => {
      const { json, workspace } = flags;
      const strength = readStrengthFlags(flags);
      const checks = await readChecks(flags.checks);
      const policy = await readRunPolicy(flags);
      using interrupts = watchInterrupts();
      const signal = AbortSignal.any([interrupts.signal, terminal.closed]);
      const judged = { workspace: resolve(workspace), policy };
      using progress = showStrength(terminal, json === true);
      const result = await useDock(async (dock) => {
        const verified = await dock.verify({
          ...judged,
          checks,
          signal,
          strength: strength && { ...strength, onProgress: progress.show },
          onCheck: (check) => {
            if (!json) terminal.out(renderCheck(check, terminal.outColors));
          },
        });
        if (flags.debug) await (await import("../debug/index.ts")).debugRun(terminal, dock, verified.runId, judged);
        return verified;
      });
      progress.end();
      const isWeak = isBelow(result.strength, flags.minStrength);
      context.status = result.verdict === "passed" && !isWeak ? 0 : 1;
      if (json) terminal.out(`${JSON.stringify(result)}\n`);
      else terminal.out(renderVerdict(result, terminal.outColors));
      if (!json && result.strength)
        terminal.out(renderStrength(result.strength, flags.minStrength, terminal.outColors));
    });
}
