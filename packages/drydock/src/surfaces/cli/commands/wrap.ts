import { resolve } from "node:path";
import { DrydockError } from "@drydock/protocol";
import type { Command } from "commander";
import type { Dock } from "../../../app/index.ts";
import { useDock, useRecords } from "../../terminal/use-dock.ts";
import { watchInterrupts } from "../../terminal/watch-interrupts.ts";
import type { CommandContext } from "../command-context.ts";
import { collectHosts, collectText, flagOption, jsonOption, parseCount, parsePositive } from "../flags/add-flags.ts";
import { RUN_FLAGS } from "../flags/run-flags.ts";
import { renderCheck } from "../render/render-verification.ts";
import { resolveRunId } from "../resolve-run-id.ts";
import { renderCheckpoints, renderFate, renderVerdict } from "../wrap/render-wrap.ts";
import type { WrapFlags } from "../wrap/wrap-flags.ts";

const HELP = `
The program has a terminal of its own, where you have one, and a copy of the workspace: the directory
itself is not touched. Its home lasts, and is not yours. It reaches the hosts of --allow, as far as the
owner's policy goes. When it has ended you see what it changed, which hosts it talked to and what the
checks say, and decide once: apply, keep or discard. Without a terminal nothing is applied unless an
option says so.

Keys: Ctrl-^ c makes a checkpoint, Ctrl-^ r goes back to the one before, Ctrl-^ . ends the program,
Ctrl-^ ^ sends Ctrl-^ itself. Checkpoints are also made whenever a turn is over.

Examples:
  $ drydock wrap -- bash
  $ drydock wrap --allow api.openai.com:443 --check 'npm test' -- codex
  $ drydock wrap --apply-if-passed --check 'pytest -q' -- python3 tools/update.py
  $ drydock wrap checkpoint
  $ drydock wrap rewind
  $ drydock wrap --from run_… -- bash

Exit status: that of the program, 128 and the number of the signal that ended it; if that is 0: 1 for the
verdict failed, and what drydock exec has for the policy, limits and Drydock itself.`;

interface ActionFlags {
  json?: boolean;
  workspace?: string;
}

export function defineCommand(program: Command, context: CommandContext): void {
  const wrap = program
    .command("wrap")
    .summary("run a coding agent, a shell or any program in the sandbox")
    .description("Runs a program of yours in the sandbox, on a copy of the workspace, with your terminal.")
    .usage("[options] -- COMMAND [ARG…]")
    .option("--workspace <dir>", "the directory that it works on (default: the current one)")
    .option("--allow <hosts>", `hosts that it may reach: HOST:PORT, separated by commas; can be repeated`, collectHosts)
    .addOption(flagOption("upstream", RUN_FLAGS.upstream))
    .option("--check <check>", "a check of the result: a command, or JSON; can be repeated", collectText)
    .option("--sufficient", "the checks of --check are proof enough, also where they pass without the changes")
    .option("--may-change <glob>", "tests and settings of tests that it may change; can be repeated", collectText)
    .option("--from <run>", "start from the changes of this wrap (RUN or last), under its checks")
    .option("--checkpoint <n>", "of that wrap, start from this checkpoint (default: its end)", parseCount)
    .option("--home <name>", "the name of its home (default: that of the program)")
    .option(
      "--env <variable>",
      "a variable: NAME=VALUE, or NAME of yours, if the policy allows it; can be repeated",
      collectText,
    )
    .option(
      "--timeout <seconds>",
      "end it after this many seconds (default: the most that the policy allows)",
      parsePositive,
    )
    .option("--memory <mb>", "memory in megabytes (default: the most that the policy allows)", parsePositive)
    .option("--policy <file>", "use the policy in this file, as far as the owner's policy allows it")
    .option("--no-terminal", "give it pipes, even if there is a terminal")
    .option("--no-escape", "send Ctrl-^ to the program, like any other key")
    .option("--apply-if-passed", "apply the changes if the verdict is passed, and keep them otherwise")
    .option("--apply", "apply the changes, unless a check failed")
    .option("--keep", "keep the changes, and ask nothing")
    .option("--discard", "discard the changes")
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .action(async (flags: WrapFlags) => {
      const { runWrapped } = await import("../wrap/run-wrapped.ts");
      await runWrapped(context, flags);
    });
  defineCheckpoint(wrap, context);
  defineRewind(wrap, context);
}

function defineCheckpoint(wrap: Command, context: CommandContext): void {
  const { terminal } = context;
  wrap
    .command("checkpoint")
    .summary("make a checkpoint of a wrap that is under way")
    .description("Has a wrap that is under way, in whatever terminal, make a checkpoint of its files.")
    .argument("[run]", "the wrap (default: the newest that is under way)")
    .addOption(jsonOption())
    .action(async (id: string | undefined, flags: ActionFlags) => {
      using interrupts = watchInterrupts();
      await useDock(async (dock) => {
        const runId = await findWrap(dock, id, true);
        const checkpoint = await dock.wraps.checkpoint(runId, { signal: interrupts.signal });
        if (flags.json) terminal.out(`${JSON.stringify({ runId, ...checkpoint })}\n`);
        else terminal.out(`Checkpoint ${checkpoint.number} of ${runId}.\n`);
      });
    });
  wrap
    .command("checkpoints")
    .summary("list the checkpoints of a wrap")
    .description("Lists the states that the files of a wrap can return to.")
    .argument("[run]", "the wrap (default: the newest)")
    .addOption(jsonOption())
    .action(async (id: string | undefined, flags: ActionFlags) => {
      await useRecords(async (dock) => {
        const list = await dock.wraps.checkpoints(await findWrap(dock, id, false));
        terminal.out(flags.json ? `${JSON.stringify(list)}\n` : renderCheckpoints(list, terminal));
      });
    });
}

function defineRewind(wrap: Command, context: CommandContext): void {
  const { terminal } = context;
  wrap
    .command("rewind")
    .summary("make the files of a wrap what they were at a checkpoint")
    .description(
      "Makes the files of a wrap what they were at a checkpoint, whoever changed them. One that has ended stays as it is: the files of the checkpoint become a run of their own, judged by the same checks.",
    )
    .argument("[run]", "the wrap (default: the newest)")
    .argument("[n]", "the checkpoint (default: the last one that differs)")
    .addOption(jsonOption())
    .action(async (first: string | undefined, second: string | undefined, flags: ActionFlags) => {
      using interrupts = watchInterrupts();
      // `drydock wrap rewind 3` is about the newest.
      const isNumber = first !== undefined && second === undefined && /^\d+$/.test(first);
      const [id, number] = isNumber ? [undefined, first] : [first, second];
      await useDock(async (dock) => {
        const runId = await findWrap(dock, id, false);
        const to = number === undefined ? undefined : parseCountFromZero(number);
        const onCheck = flags.json
          ? undefined
          : (check: Parameters<typeof renderCheck>[0]) => terminal.err(renderCheck(check, terminal.errColors));
        const done = await dock.wraps.rewind(runId, to, { signal: interrupts.signal, onCheck });
        if (flags.json) return terminal.out(`${JSON.stringify(done)}\n`);
        terminal.out(`The files are as they were at checkpoint ${done.checkpoint.number} of ${runId}.\n`);
        if (!done.result) return;
        if (done.result.changes.length > 0) terminal.out(renderVerdict(done.result, terminal.outColors));
        terminal.out(renderFate(done.result, terminal));
      });
    });
}

async function findWrap(dock: Dock, typed: string | undefined, isRunning: boolean): Promise<string> {
  if (typed !== undefined) return resolveRunId(dock.runs, typed, "wrap");
  const workspace = resolve(".");
  const found = (await dock.wraps.find({ workspace, isRunning })) ?? (await dock.wraps.find({ isRunning }));
  if (found !== null) return found;
  const message = isRunning ? "No wrap is under way." : "There is no wrap.";
  throw new DrydockError("input.invalid", message, "Start one: drydock wrap -- bash");
}

function parseCountFromZero(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0) return value;
  throw new DrydockError("input.invalid", `${text} is no number of a checkpoint.`, "See drydock wrap checkpoints.");
}
