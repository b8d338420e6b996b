import { resolve } from "node:path";
import { type CheckEntry, DrydockError } from "@drydock/protocol";
import { type Command, Option } from "commander";
import pico from "picocolors";
import type { Colors } from "../../terminal/terminal.ts";
import { useDock } from "../../terminal/use-dock.ts";
import { watchInterrupts } from "../../terminal/watch-interrupts.ts";
import { refuseUnwritable, writeOut } from "../../terminal/write-out.ts";
import type { CommandContext } from "../command-context.ts";
import { showRunning } from "../exec/show-running.ts";
import { collectText, debugOption, jsonOption, parseCount, parseFraction } from "../flags/add-flags.ts";
import type { RunFlags } from "../flags/run-flags.ts";
import { readRunPolicy } from "../read-run-policy.ts";
import { renderStrength } from "../render/render-strength.ts";
import { renderCheck, renderNotes, renderVerdict } from "../render/render-verification.ts";
import { showReading } from "../show-reading.ts";
import { readStrengthFlags, type StrengthFlags, showStrength } from "../verify-strength.ts";

const FORMATS = ["text", "json", "junit", "sarif"] as const;

type Format = (typeof FORMATS)[number];

/** For a file, whatever the terminal can show. */
const PLAIN = pico.createColors(false);

interface VerifyFlags extends RunFlags, StrengthFlags {
  checks?: string;
  check?: string[];
  workspace: string;
  format?: Format;
  out?: string;
}

const HELP = `
The directory is judged as it stands, and never changed. FILE is YAML or JSON:

  checks:
    - pytest -q
    - { type: file_exists, path: report.json }

Text is a command that must end with status 0. --check gives one without a file. Where either is
given, the workspace's own file is not read. What the policy requires (checks.required) is judged
in any case.

With --strength, small faults (mutants) are put into the source, one at a time, and the checks
are run on each. The strength is the share that they notice. Those that they don't are shown.

With --out the format goes to a file, and the terminal shows what it always shows. Paths in SARIF are relative to the
current directory.

Exit status: 0 if the verdict is passed, 1 if not. Where the strength is below --min-strength, or could not be measured
though there is something to mutate, the verdict is failed.

Examples:
  $ drydock verify
  $ drydock verify --checks checks.yaml
  $ drydock verify --check 'pytest -q' --check '{"type":"file_exists","path":"report.json"}'
  $ drydock verify --checks checks.yaml --workspace demo --json
  $ drydock verify --checks checks.yaml --strength --since main --min-strength 0.8
  $ drydock verify --checks checks.yaml --format junit --out drydock.xml`;

export function defineCommand(program: Command, context: CommandContext): void {
  const { terminal } = context;
  program
    .command("verify")
    .summary("run checks on a directory and print a verdict")
    .description("Runs checks on a directory, each in a fresh sandbox, and prints a verdict.")
    .option("--checks <file>", "the checks, as YAML or JSON (default: the workspace's .drydock/checks.yaml)")
    .option("--check <check>", "a check: a command, or JSON; can be repeated", collectText)
    .option("--workspace <dir>", "the directory to check", ".")
    .addOption(new Option("--format <format>", "format of the result (default: text)").choices(FORMATS))
    .option("--out <file>", "write it to this file; the terminal still shows the checks")
    .option("--strength", "put small faults into the source and measure how many the checks find")
    .option("--since <rev>", "only in lines that changed since this git revision (with --strength)")
    .option("--min-strength <share>", "fail below this share, from 0 to 1 (with --strength)", parseFraction)
    .option("--mutants <n>", "try at most this many faults (with --strength; default: 100)", parseCount)
    .option("--seed <n>", "number that selects the sample of faults (with --strength; default: 1)", parseCount)
    .option("--policy <file>", "use the policy in this file, as far as the owner's policy allows it")
    .addOption(debugOption())
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .action(async (flags: VerifyFlags) => {
      const { workspace } = flags;
      const { shown, written } = readFormats(flags);
      const strength = readStrengthFlags(flags);
      if (flags.out !== undefined) await refuseUnwritable(resolve(flags.out));
      const checks = await readChecks(flags);
      const policy = await readRunPolicy(flags);
      using interrupts = watchInterrupts();
      const signal = AbortSignal.any([interrupts.signal, terminal.closed]);
      const judged = { workspace: resolve(workspace), policy };
      const lines: string[] = [];
      using progress = showStrength(terminal, shown !== "text");
      const running = showRunning(terminal, shown !== "text");
      const reading = showReading(terminal);
      await useDock(async (dock) => {
        const judging = dock.verify({
          ...judged,
          checks,
          checksFile: flags.checks,
          signal,
          strength: strength && { ...strength, onProgress: progress.show },
          onReading: shown === "text" ? reading.update : undefined,
          onStart: (check) => {
            reading.end();
            running.begin(check);
          },
          onCheck: (check) => {
            reading.end();
            running.end();
            // The source of the user's own checks is not shown.
            const shownCheck = { ...check, source: check.source === "user" ? undefined : check.source };
            if (shown === "text") terminal.out(renderCheck(shownCheck, terminal.outColors));
            lines.push(renderCheck(shownCheck, PLAIN));
          },
        });
        const result = await judging.finally(() => {
          reading.end();
          running.end();
        });
        if (flags.debug)
          await (await import("../../terminal/debug/index.ts")).debugRun(terminal, dock, result.runId, judged);
        progress.end();
        context.status = result.verdict === "passed" ? 0 : 1;
        const renderMeasured = (measured: typeof result.strength, colors: Colors) =>
          measured ? renderStrength(measured, flags.minStrength, colors) : "";
        const write = async (format: Format, colors: Colors) => {
          if (format === "text")
            return renderVerdict(result, colors) + renderMeasured(result.strength, colors) + renderNotes(result.notes);
          if (format === "json") return `${JSON.stringify(result)}\n`;
          return dock.runs.report(result.runId, { format, root: process.cwd() });
        };
        if (flags.out !== undefined) {
          const before = written === "text" ? lines.join("") : "";
          await writeOut(resolve(flags.out), before + (await write(written, PLAIN)));
        }
        terminal.out(await write(shown, terminal.outColors));
      });
    });
}

/** Those of the file, then those of the command line; undefined where there are neither. */
async function readChecks({ checks: file, check }: VerifyFlags): Promise<readonly CheckEntry[] | undefined> {
  if (file === undefined) return check;
  const { loadCheckFiles } = await import("../../../app/index.ts");
  return [...(await (await loadCheckFiles()).readCheckFile(file)), ...(check ?? [])];
}

/** What the terminal shows, and what the file gets where there is one. */
function readFormats({ json, format, out }: VerifyFlags): { shown: Format; written: Format } {
  const usual = json ? "json" : "text";
  if (out !== undefined) return { shown: usual, written: format ?? usual };
  if (json && format !== undefined && format !== "json") {
    const hint = `Leave one of them out, or write the other to a file with --out.`;
    throw new DrydockError("input.invalid", `--json and --format ${format} can't both be printed.`, hint, { format });
  }
  return { shown: format ?? usual, written: format ?? usual };
}
