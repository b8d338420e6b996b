import { resolve } from "node:path";
import { type Command, Option } from "commander";
import type { GoalOptions } from "../../../app/index.ts";
import type { CommandContext } from "../command-context.ts";
import {
  collectHosts,
  collectText,
  debugOption,
  jsonOption,
  parseCount,
  parseFraction,
  parsePositive,
} from "../flags/add-flags.ts";
import { type GoalFlags, readBudget, readCheckFlags, refuseGoalFlags } from "../goal/goal-flags.ts";
import { readComment } from "../goal/read-comment.ts";
import { refuse } from "../goal/refuse.ts";
import { warnUnmatched } from "../goal/warn-unmatched.ts";
import { readRunPolicy } from "../read-run-policy.ts";
import { resolveRunId } from "../resolve-run-id.ts";

const HELP = `
A model (or repair, where none is set up) plans the goal and works in a layer over the workspace.
The checks of the plan decide, together with your own: --check, .drydock/checks.yaml,
checks.required in the policy. Changes reach the workspace only if the verdict is passed, all at
once. drydock runs revert undoes them.

FILE is a plan as YAML or JSON: { goal, tasks: [{ id, instructions, scope, checks }] }.
drydock plan writes one, drydock plan --schema prints its JSON Schema.

Examples:
  $ drydock run --goal "Fix add() so that the tests pass" --model anthropic/claude-sonnet-4-5
  $ drydock run --goal "Fix add()" --check 'pytest -q' --check '{"type":"unchanged","paths":["api/**"]}'
  $ drydock run --goal "Split parse() in two" --check 'pytest -q' --sufficient
  $ drydock run --goal "Translate README.md to German" --review --apply ask
  $ drydock run --plan plan.yaml --workspace demo --model scripted:answers.yaml
  $ drydock run --resume run_01ab
  $ drydock run --follow last "Now also handle negative numbers"
  $ drydock run --follow last --comment 'calc.py:2: Use sum() here.' --comment 'README.md: Add an example.'
  $ drydock run --goal "…" --json | tail -1

With --json, each event is a line; the last line is { runId, status, verdict, treeHash, … }.

Exit status: 0 only if the verdict is passed; else that of the error (4 a budget was used up,
5 no model, 130 cancelled, …), else 1. A run that is paused exits with 1.`;

export function defineCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("run")
    .summary("work on a goal until its checks pass, then deliver")
    .description("Plans a goal, works on it in a sandbox, and changes your files only after the checks pass.")
    .usage("[options] ([--follow RUN] GOAL | --goal TEXT | --plan FILE | --follow RUN | --resume RUN)")
    .argument("[goal]", "what should be done, in plain words; the same as --goal")
    .option("--goal <text>", "what should be done, in plain words")
    .option("--plan <file>", "use this plan (YAML or JSON) instead of one from the model")
    .option("--resume <run>", "continue a run that was paused or interrupted; `last`: the newest goal")
    .option(
      "--follow <run>",
      "go on from the result of this run, which has ended (default goal: its goal); `last`: the newest goal",
    )
    .option(
      "--comment <text>",
      "with --follow: what you ask for of its change, as 'FILE:LINE: TEXT'; can be repeated",
      collectText,
    )
    .option("--workspace <dir>", "the directory to work on (default: .)");
  addWorkFlags(command)
    .option("--review", "show the plan first: approve, edit or reject it")
    .addHelpText("after", HELP)
    .action(async (goal: string | undefined, parsedFlags: GoalFlags) => {
      const flags = { ...parsedFlags, goal: readGoal(goal, parsedFlags) };
      refuseGoalFlags(flags);
      if (flags.resume !== undefined) return resume(context, flags.resume, flags);
      const options = await readGoalOptions(flags);
      await warnUnmatched(flags.mayChange, options.workspace, context.terminal);
      const { showGoal } = await import("../goal/show-goal.ts");
      await showGoal(context, flags, async (dock, watching) => {
        const follow = flags.follow === undefined ? undefined : await resolveRunId(dock.runs, flags.follow, "goal");
        const comments = flags.comment?.map(readComment);
        return dock.goals.run({ ...options, follow, comments, ...watching });
      });
    });
}

async function resume(context: CommandContext, typed: string, flags: GoalFlags): Promise<void> {
  const { showGoal } = await import("../goal/show-goal.ts");
  const { model, apply, staleSeconds, staleAutoReset } = flags;
  await showGoal(context, flags, async (dock, watching, watch) => {
    const runId = await resolveRunId(dock.runs, typed, "goal");
    watch.recall(await dock.runs.events(runId));
    const budget = readBudget(flags);
    return dock.goals.resume(runId, { model, apply, staleSeconds, staleAutoReset, budget, ...watching });
  });
}

/** What every command that carries out tasks takes. */
export function addWorkFlags(command: Command): Command {
  return command
    .option(
      "--model <id>",
      "PROVIDER/NAME, or several separated by commas (fallbacks), or scripted:FILE, or repair (no language model)",
    )
    .addOption(
      new Option(
        "--apply <when>",
        "change your files if the checks pass: at once, after a question, or never (default: auto)",
      ).choices(["auto", "ask", "never"]),
    )
    .option("--branch <name>", "commit the result on this new git branch instead of changing files")
    .addOption(
      new Option(
        "--way <way>",
        "how the model works: step by step with tools, or with one answer (default: tools)",
      ).choices(["tools", "writes"]),
    )
    .option("--then-repair", "if the model's last attempt fails, search for a repair without it")
    .option(
      "--best-of <count>",
      "make this many attempts of the model side by side, and take the best that passed",
      parseCount,
    )
    .option(
      "--repair-seconds <seconds>",
      "stop the search for a repair after this many seconds (default: 60)",
      parsePositive,
    )
    .option("--repair-seed <number>", "the order of equally likely changes in that search (default: 1)", parseCount)
    .option("--all", "list all changes that pass, where repair finds several")
    .option("--check <check>", "a check that the result must pass: a command, or JSON; can be repeated", collectText)
    .option("--sufficient", "the checks of --check are proof enough, even if they pass without the change")
    .option(
      "--may-change <glob>",
      "tests, and files that tests read, that the run may change; can be repeated",
      collectText,
    )
    .option(
      "--min-strength <share>",
      "the share of deliberate small faults that the checks must find, 0 to 1",
      parseFraction,
    )
    .option("--budget-tokens <count>", "stop before using more than this number of tokens", parseCount)
    .option("--budget-usd <dollars>", "stop before spending more than this", parsePositive)
    .option(
      "--stale-seconds <seconds>",
      "a task without progress for this long is stale; 0: never (default: 3600)",
      parseCount,
    )
    .option("--stale-auto-reset", "start a stale task again")
    .option("--no-stale-auto-reset", "pause the run if a task is stale (default)")
    .option("--timeout <seconds>", "stop each command and check after this many seconds", parsePositive)
    .option("--memory <mb>", "stop each command and check that uses more memory than this, in megabytes", parsePositive)
    .option("--net <hosts>", "hosts that commands and checks may reach: HOST:PORT, separated by commas", collectHosts)
    .option("--policy <file>", "use the policy in this file, as far as the owner's policy allows it")
    .addOption(debugOption())
    .addOption(jsonOption("print each event as a line of JSON, for programs; the last line is the result"));
}

/** The goal is an argument or an option, not both. */
function readGoal(word: string | undefined, { goal }: GoalFlags): string | undefined {
  const hint = 'Give the goal once, as in: drydock run --goal "Fix add() so that the tests pass"';
  refuse(word !== undefined && goal !== undefined, "The goal is given twice.", hint);
  return word ?? goal;
}

async function readGoalOptions(flags: GoalFlags): Promise<GoalOptions> {
  const options = await readWorkOptions(flags);
  if (flags.plan === undefined) return { ...options, goal: flags.goal };
  const { loadPlanFiles } = await import("../../../app/index.ts");
  const plan = await (await loadPlanFiles()).readPlanFile(flags.plan);
  return { ...options, plan, planSource: flags.plan };
}

/** What the flags of `addWorkFlags` say. */
export async function readWorkOptions(flags: GoalFlags): Promise<GoalOptions> {
  const { workspace = ".", model, apply, branch, way, staleSeconds, staleAutoReset } = flags;
  return {
    workspace: resolve(workspace),
    model,
    apply,
    branch,
    way,
    thenRepair: flags.thenRepair,
    bestOf: flags.bestOf,
    repair: { seconds: flags.repairSeconds, seed: flags.repairSeed },
    staleSeconds,
    staleAutoReset,
    budget: readBudget(flags),
    checks: await readCheckFlags(flags),
    mayChange: flags.mayChange,
    minStrength: flags.minStrength,
    policy: await readRunPolicy(flags),
  };
}
