import { resolve } from "node:path";
import { DrydockError, readCheckEntry } from "@drydock/protocol";
import { type Command, Option } from "commander";
import { loadPlanFiles } from "../../../app/index.ts";
import { useDock, useRecords } from "../../terminal/use-dock.ts";
import type { CommandContext } from "../command-context.ts";
import { jsonOption, parseCount } from "../flags/add-flags.ts";
import type { RunFlags } from "../flags/run-flags.ts";
import type { GoalFlags } from "../goal/goal-flags.ts";
import { refuse } from "../goal/refuse.ts";
import { renderTasks } from "../render/render-tasks.ts";
import { addWorkFlags, readWorkOptions } from "./run.ts";

interface AddFlags extends RunFlags {
  workspace: string;
  file?: string;
  id?: string;
  title?: string;
  instructions?: string;
  scope?: string[];
  check?: unknown[];
  after?: string[];
  attempts?: number;
}

const HELP = `
Tasks that belong to no plan wait in a list, per workspace, until drydock task run does them
as one run. A task is done once that run passed.

Examples:
  $ drydock task add --id lint --instructions "Remove unused imports" --scope 'src/**' \\
      --check 'python3 -m pyflakes src'
  $ drydock task add --file task.yaml
  $ drydock task list
  $ drydock task run --model anthropic/claude-sonnet-4-5
  $ drydock task run lint          also where it failed before`;

export function defineCommand(program: Command, context: CommandContext): void {
  const task = program
    .command("task")
    .summary("single tasks without a plan: add, list, run, cancel")
    .description("Tasks without a plan, and tasks of runs that have not ended.")
    .addHelpText("afterAll", HELP);
  defineAdd(task, context);
  defineList(task, context);
  defineRun(task, context);
  defineCancel(task, context);
}

const workspaceOption = () => new Option("--workspace <dir>", "the directory that the tasks are for").default(".");

function defineAdd(task: Command, { terminal }: CommandContext): void {
  task
    .command("add")
    .description("Adds a task, from a file or from options.")
    .usage("[options] (--file TASK.yaml | --id ID --check CHECK…)")
    .addOption(workspaceOption())
    .option("--file <file>", "the task as YAML or JSON: { id, title, instructions, scope, checks }")
    .option("--id <id>", "its name: letters, digits, '.', '_' and '-'")
    .option("--title <text>", "what it is about, in a few words")
    .option("--instructions <text>", "what is to be done")
    .option("--scope <glob>", "files that it may change; can be repeated (default: all)", collect)
    .option("--check <check>", "a check that must pass afterwards: a command, or JSON; can be repeated", collectChecks)
    .option("--after <id>", "a task that must be done first; can be repeated", collect)
    .option("--attempts <count>", "how many attempts it may take (default: 3)", parseCount)
    .addOption(jsonOption())
    .action(async (flags: AddFlags) => {
      const newTask = await readTask(flags);
      const added = await useDock((dock) => dock.tasks.add(resolve(flags.workspace), newTask));
      terminal.out(flags.json ? `${JSON.stringify(added)}\n` : `${added.id}\n`);
    });
}

async function readTask(flags: AddFlags): Promise<unknown> {
  const { file, id, title, instructions, scope, check: checks, after: dependsOn, attempts } = flags;
  const single = { id, title, instructions, scope, checks, dependsOn, attempts };
  const isSingle = Object.values(single).some((value) => value !== undefined);
  if (file === undefined) {
    refuse(id === undefined, "The task has no id.", "Give --id ID and --check CHECK, or --file TASK.yaml.");
    return single;
  }
  refuse(isSingle, "A task is given by a file or by options, not by both.", "Put it all in the file.");
  return (await loadPlanFiles()).readTaskFile(file);
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

function collectChecks(value: string, before: unknown[] = []): unknown[] {
  const read = readCheckEntry(value);
  if (read.ok) return [...before, read.check];
  const where = read.path.length === 0 ? "" : `${read.path.map(String).join(".")}: `;
  const hint = `Give a command line, or a check as JSON: --check '{"type":"file_exists","path":"report.json"}'`;
  throw new DrydockError("input.invalid", `--check can't be read: ${where}${read.problem}.`, hint, { check: value });
}

function defineList(task: Command, { terminal }: CommandContext): void {
  task
    .command("list")
    .description("Lists single tasks, and those of runs that have not ended.")
    .addOption(workspaceOption())
    .option("--all", "tasks of all workspaces")
    .addOption(jsonOption())
    .action(async ({ workspace, all, json }: RunFlags & { workspace: string; all?: boolean }) => {
      const tasks = await useRecords((dock) => dock.tasks.list(all ? {} : { workspace: resolve(workspace) }));
      terminal.out(json ? `${JSON.stringify(tasks)}\n` : renderTasks(tasks, terminal, all));
    });
}

function defineRun(task: Command, context: CommandContext): void {
  const command = task
    .command("run")
    .description("Runs all waiting tasks, or the ones you name, as one run.")
    .argument("[ids...]", "run only these tasks; failed and cancelled ones are run again")
    .addOption(workspaceOption());
  addWorkFlags(command)
    .option("--review", "show the tasks as a plan first: approve, edit or reject it")
    .action(async (ids: string[], flags: GoalFlags) => {
      const options = await readWorkOptions(flags);
      const tasks = ids.length === 0 ? undefined : ids;
      const { showGoal } = await import("../goal/show-goal.ts");
      await showGoal(context, flags, (dock, watching) => dock.tasks.run({ ...options, ...watching, tasks }));
    });
}

function defineCancel(task: Command, { terminal }: CommandContext): void {
  task
    .command("cancel")
    .description("Cancels a task.")
    .argument("<id>", "the task")
    .addOption(workspaceOption())
    .addOption(jsonOption())
    .action(async (id: string, { workspace, json }: RunFlags & { workspace: string }) => {
      await useDock((dock) => dock.tasks.cancel(resolve(workspace), id));
      if (json) terminal.out(`${JSON.stringify({ id, status: "cancelled" })}\n`);
    });
}
